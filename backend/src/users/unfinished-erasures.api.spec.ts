import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { userStream } from '@roughmix/contracts/users/user.events.js';
import type { UserErasedAnswer } from '@roughmix/contracts/users/user.view.js';
import { EmbeddedEventStore } from '../platform/event-store/embedded-event-store.js';
import type { Platform } from '../platform/platform.js';
import type { Slice } from '../platform/slice.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { appendNext } from '../testing/append-next.js';
import { compiled } from '../testing/compiled.js';
import { aProjectWith, comment, type CreatedProject } from '../testing/project-over-http.js';
import { REUSED_THREADS } from '../testing/reused-threads.js';
import { withOverride } from '../testing/temporary-vault.js';
import { type Answer, bodyOf, expectRefused } from '../testing/test-client.js';
import type { Erasures as CompiledErasures } from './erasures.js';

const [{ startOffline }, { readConfig }, { openPlatform }, { ServiceUnavailable }, { slices }, { silentSecurityLog }, { Erasures }] = await Promise.all([
  compiled<typeof import('../operations/offline-module.js')>('operations/offline-module.js'),
  compiled<typeof import('../platform/config/config.js')>('platform/config/config.js'),
  compiled<typeof import('../platform/platform.js')>('platform/platform.js'),
  compiled<typeof import('../platform/store-errors.js')>('platform/store-errors.js'),
  compiled<typeof import('../slices.js')>('slices.js'),
  compiled<typeof import('../testing/silent-security-log.js')>('testing/silent-security-log.js'),
  compiled<typeof import('./erasures.js')>('users/erasures.js'),
]);

const EARLIER = 'ProjectCompletionChanged.v0';
const CHORE = 'unfinished erasures';

let app: TestApp;
let ana: Person;
let zora: Person;
/** Zora's own projects, and one of Ana's that she has commented in. */
let own: CreatedProject;
let other: CreatedProject;
let anas: CreatedProject;
/** Whether this version of the program can read an earlier shape of an event. */
let canUpcast: boolean;

const upcasting: Slice = {
  name: 'upcasting',
  upcasters: [
    {
      from: EARLIER,
      to: 'ProjectCompletionChanged',
      classes: { from: 'plain', to: 'plain' },
      change: (data) => {
        if (!canUpcast) throw new Error('this shape is unknown');
        return data;
      },
    },
  ],
};

const erase = (user: string): Promise<Answer<UserErasedAnswer>> => app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user });

/** The vault's records of a collection, by id. */
function recordsOf(collection: string): ReadonlyMap<string, unknown> {
  const vault = new DatabaseSync(join(app.folder, 'vault.db'), { readOnly: true, timeout: 5_000 });
  try {
    const rows = vault.prepare('SELECT id, body FROM records WHERE collection=?').all(collection) as { readonly id: string; readonly body: string }[];
    return new Map(rows.map(({ id, body }) => [id, JSON.parse(body) as unknown]));
  } finally {
    vault.close();
  }
}
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
};
const isChoreFailing = async (): Promise<boolean> => {
  const { body } = await app.anonymous.get<{ failingChores: Readonly<Record<string, number>> }>('/health/ready');
  return (body.failingChores[CHORE] ?? 0) > 0;
};

/** Appends an event of an earlier shape to a project while no program runs. */
async function appendEarlierShape({ projectId }: CreatedProject): Promise<void> {
  const store = await EmbeddedEventStore.open({ file: join(app.folder, 'log.db'), threads: REUSED_THREADS });
  const meta = { actorUid: zora.uid, at: 1, commandId: randomUUID(), correlationId: 'c', causationId: null };
  await appendNext(store, projectStream(projectId), [{ id: randomUUID(), type: EARLIER, data: { from: false, to: true }, meta }]);
  await store.close();
}

/** Calls an operator's program, with some stores replaced, while no other runs. */
async function offline(work: (erasures: CompiledErasures) => Promise<void>, changed: (platform: Platform) => Partial<Platform>): Promise<void> {
  const environment = { DATA_DIR: app.folder, ERASURES_FILE: join(app.folder, 'erasures', 'erasures.ndjson'), MASTER_KEY: 'specs-master-key-7d2c94f06be1a853' };
  const platform = await openPlatform(readConfig(environment), slices, pino({ level: 'silent' }), { security: silentSecurityLog(), threads: REUSED_THREADS });
  const program = await startOffline({ ...platform, ...changed(platform) });
  await work(program.get(Erasures));
  await program.close();
  await platform.close();
}

/** What others see of Zora, and what is left of her. */
async function whatIsLeft() {
  const { comments } = bodyOf(
    await ana.get<{ data: { comments: readonly { user?: { username: string } }[] } }>(`/api/projects/${anas.projectId}/visitor/${ana.uid}`),
  ).data;
  const keys = [userStream(zora.uid), ...[own, other].map(({ projectId }) => projectStream(projectId))];
  return {
    author: comments[0]?.user?.username,
    account: recordsOf('accounts').has(zora.uid),
    keys: keys.map((key) => recordsOf('data-keys').has(key)),
    unfinished: recordsOf('erasures').get(zora.uid),
  };
}

beforeEach(async () => {
  canUpcast = false;
  app = await startApp({}, { manifests: [upcasting] });
  [ana, zora] = [await app.person('Ana'), await app.person('Zora')];
  own = await aProjectWith(zora, { projectName: 'Own tide' });
  other = await aProjectWith(zora, { projectName: 'Other tide' });
  anas = await aProjectWith(ana, { projectName: 'Anas tide', collaborators: [zora] });
  await comment(zora, anas.projectId, { content: 'Said by one who goes' });
});
afterEach(() => app.stop());

test('an event that cannot be read leaves only its project unfinished: the program starts, reports it, and completes it once it can', async () => {
  await app.restart(() => appendEarlierShape(own));
  ana = app.again(ana);
  expectRefused(await erase(zora.uid), 'stream.unreadable');
  const left = { author: '[removed user]', account: false, keys: [false, true, false], unfinished: { at: expect.any(Number), projects: [own.projectId] } };
  expect(await whatIsLeft()).toEqual(left);
  await app.restart();
  ana = app.again(ana);
  await until(isChoreFailing);
  expect(await whatIsLeft()).toEqual(left);
  canUpcast = true;
  await app.restart();
  ana = app.again(ana);
  await until(() => !recordsOf('erasures').has(zora.uid));
  expect(await whatIsLeft()).toEqual({ author: '[removed user]', account: false, keys: [false, false, false] });
  expect(await isChoreFailing()).toBe(false);
  expect(bodyOf(await erase(zora.uid))).toMatchObject({ removedProjects: [own.projectId, other.projectId], keptProjects: [] });
}, 60_000);

test('an erasure that a store interrupts is completed after the next start', async () => {
  const isAway = (): Promise<never> => Promise.reject(new ServiceUnavailable('away'));
  await app.restart(() =>
    offline(
      async (erasures) => expect(erasures.erase(zora.uid)).rejects.toThrow('away'),
      ({ blobs }) => ({ blobs: withOverride(blobs, 'removePrefix', isAway) }),
    ),
  );
  ana = app.again(ana);
  await until(() => !recordsOf('erasures').has(zora.uid));
  expect(await whatIsLeft()).toEqual({ author: '[removed user]', account: false, keys: [false, false, false] });
});

test('more unfinished erasures than one page are all completed', async () => {
  await app.restart(async () => {
    const vault = await EmbeddedVault.open({ file: join(app.folder, 'vault.db'), threads: REUSED_THREADS });
    await vault.declare({ name: 'erasures' });
    await Promise.all(Array.from({ length: 1_001 }, (_, at) => vault.put('erasures', `gone-${at}`, { at: 1, projects: [] })));
    await vault.close();
  });
  await until(() => recordsOf('erasures').size === 0);
  expect(await isChoreFailing()).toBe(false);
});

test('after a restore everyone on the list is erased with one pass over the log and one scrub', async () => {
  for (const uid of [zora.uid, ana.uid]) bodyOf(await erase(uid));
  const did: string[] = [];
  await app.restart(() =>
    offline(
      async (erasures) => expect(await erasures.applyList()).toEqual({ erased: 2, unfinished: 0 }),
      ({ eventStore, documents, vault }) => ({
        eventStore: withOverride(eventStore, 'readAll', (page) => {
          if (page.after === 0) did.push('read the log');
          return eventStore.readAll(page);
        }),
        documents: withOverride(documents, 'scrub', () => documents.scrub().then(() => void did.push('scrubbed documents'))),
        vault: withOverride(vault, 'scrub', () => vault.scrub().then(() => void did.push('scrubbed the vault'))),
      }),
    ),
  );
  expect(did).toEqual(['read the log', 'scrubbed documents', 'scrubbed the vault']);
});

test('accounts that are removed at the same time are all removed', async () => {
  const people = [ana, zora, await app.person('Bo'), await app.person('Cleo'), await app.person('Dag')];
  const answers = await Promise.all(people.map(({ uid }) => app.anonymous.post(`/api/admin/${app.adminKey}/users/removeUser`, { uid })));
  expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200));
  expect(recordsOf('erasures').size).toBe(0);
});
