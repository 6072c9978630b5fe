import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { documentStoreContract } from '../documents/documents.contract.js';
import { EmbeddedDocumentStore } from '../documents/embedded-document-store.js';
import { editionDocuments, editionIn, editionOf, projectorLease } from './editions.js';

const OWN = 'e0000000a';

documentStoreContract(
  'the part of a store that belongs to an edition',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'roughmix-edition-'));
    return {
      open: async () => editionDocuments(await EmbeddedDocumentStore.open({ file: join(folder, 'read.db') }), OWN),
      remove: () => rm(folder, { recursive: true }),
    };
  },
  'one',
);

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

test('editions in one store see nothing of each other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-edition-'));
  const store = await EmbeddedDocumentStore.open({ file: join(folder, 'read.db') });
  const both = ['', OWN].map((edition) => editionDocuments(store, edition));
  for (const [at, documents] of both.entries()) {
    await documents.declare({ name: 'users_v1_g1', indexes: [] });
    await documents.save({ projector: 'users', checkpoint: at + 1, writes: [{ collection: 'users_v1_g1', id: 'ana', body: { at }, position: at + 1 }] });
    await documents.setFact('log', `log ${at}`);
  }
  const seen = both.map(async (documents) => [await documents.get('users_v1_g1', 'ana'), await documents.checkpoint('users'), await documents.fact('log')]);
  expect(await Promise.all(seen)).toEqual([
    [{ at: 0 }, 1, 'log 0'],
    [{ at: 1 }, 2, 'log 1'],
  ]);
  await store.close();
  await rm(folder, { recursive: true });
});
