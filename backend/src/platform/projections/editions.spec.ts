import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { DocumentStore } from '../documents/documents.js';
import { EmbeddedDocumentStore } from '../documents/embedded-document-store.js';
import { editionDocuments, editionIn, editionOf, projectorLease } from './editions.js';

const OWN = 'e0000000a';
const USERS = 'users_v1_g1';

test('an edition follows from names and versions of the projectors, in any order', () => {
  const [users, projects] = [
    { name: 'users', version: 3 },
    { name: 'projects', version: 9 },
  ];
  expect(editionOf([users, projects])).toMatch(/^e[0-9a-f]{8}$/);
  expect(editionOf([projects, users])).toBe(editionOf([users, projects]));
  const others = [[users], [users, { ...projects, version: 10 }], [users, { ...projects, name: 'project' }]];
  expect(new Set([[users, projects], ...others].map(editionOf)).size).toBe(4);
});

test('a collection names its edition; those that are no read models belong to none', () => {
  expect(['e0000000a_projects_v9_g1', 'projects_v9_g1', 'snapshots', 'e0000000a_snapshots'].map(editionIn)).toEqual([OWN, '', null, null]);
});

test('each edition has a lease of its own', () => {
  expect([projectorLease(''), projectorLease(OWN)]).toEqual(['projector', 'projector-e0000000a']);
});

/** What every method that reads answers. */
async function seenIn(documents: DocumentStore) {
  const where = { field: 'city', value: 'Ghent' };
  return {
    get: await documents.get(USERS, 'ana'),
    getMany: [...(await documents.getMany(USERS, ['ana', 'bob'])).values()],
    known: documents.known(USERS, 'ana'),
    find: await documents.find(USERS, { where }),
    matches: (await documents.matches(USERS, { where, limit: 10 })).map(({ body }) => body),
    load: (await documents.load([{ collection: USERS, id: 'ana' }])).map(({ body }) => body),
    checkpoint: await documents.checkpoint(USERS),
    checkpoints: [...(await documents.checkpoints([USERS]))],
    fact: await documents.fact('log'),
    takeFact: await documents.takeFact('log', { fence: 2 }),
  };
}

test('editions in one store see nothing of each other, except that the unnamed one lists all collections', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-edition-'));
  const store = await EmbeddedDocumentStore.open({ file: join(folder, 'read.db') });
  const [unnamed, own] = [editionDocuments(store, ''), editionDocuments(store, OWN)];
  const bodyIn = (name: string) => ({ name, city: 'Ghent' });
  const expected = (name: string, position: number) => {
    const body = bodyIn(name);
    const found = { get: body, getMany: [body], known: body, find: [body], matches: [body], load: [body] };
    return { ...found, checkpoint: position, checkpoints: [[USERS, position]], fact: `log of ${name}`, takeFact: `log of ${name}` };
  };
  for (const [name, position, documents] of [['Ana', 1, unnamed] as const, ['Anna', 2, own] as const]) {
    await documents.declare({ name: USERS, indexes: [{ field: 'city' }] });
    await documents.save({ projector: USERS, checkpoint: position, writes: [{ collection: USERS, id: 'ana', body: bodyIn(name), position }] });
    await documents.setFact('log', `log of ${name}`);
  }
  expect([await seenIn(unnamed), await seenIn(own)]).toEqual([expected('Ana', 1), expected('Anna', 2)]);
  expect([await unnamed.collections(), await own.collections()]).toEqual([[`${OWN}_${USERS}`, USERS], [USERS]]);
  await own.drop(USERS, USERS);
  expect([await own.collections(), await own.checkpoint(USERS), await seenIn(unnamed)]).toEqual([[], 0, expected('Ana', 1)]);
  await store.close();
  await rm(folder, { recursive: true });
});
