import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ProjectionsAnswer, ReactorsAnswer } from '@roughmix/contracts/admin/admin.view.js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operate } from '../testing/operate.js';
import { TakenCheckpoint } from '../platform/reactors/taken-checkpoint.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import { slices } from '../slices.js';
import { startApp, type TestApp } from '../testing/app.js';
import { bodyOf } from '../testing/test-client.js';

const MASTER_KEY = 'specs-master-key-3b81e0c5a7f24d96';
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ MASTER_KEY });
  await app.person('Ana');
  await app.reactorsIdle();
});
afterAll(() => app.stop());

const admin = (path: string): string => `/api/admin/${app.adminKey}${path}`;
const NAMES = slices.projectors.map(({ name }) => name);

/** Runs an operation as an operator does beside this program. */
async function operated(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const { hostname, port } = new URL(app.url);
  const environment = { DATA_DIR: app.folder, HOST: hostname, PORT: port, ADMIN_KEY: app.adminKey, MASTER_KEY, LOG_LEVEL: 'silent' };
  const code = await operate(args, environment, { out, err, signal: new AbortController().signal });
  out.end();
  err.end();
  return { code, out: await text(out), err: await text(err) };
}
/** The vault of the stopped program, where publishing has reached a position. */
async function published(position: number): Promise<EmbeddedVault> {
  const vault = await EmbeddedVault.open({ file: join(app.folder, 'vault.db') });
  await TakenCheckpoint.take(vault, 'publish-to-kafka', position);
  return vault;
}
const status = async () => bodyOf(await app.anonymous.get<ProjectionsAnswer>(admin('/projections'))).projections;

describe('read models', () => {
  test('report their progress', async () => {
    expect((await status()).map(({ projector, generation, lag, parkedStreams, rebuild }) => ({ projector, generation, lag, parkedStreams, rebuild }))).toEqual(
      NAMES.map((projector) => ({ projector, generation: 1, lag: 0, parkedStreams: [], rebuild: null })),
    );
  });

  test('are rebuilt on demand; an unknown name is refused', async () => {
    const answer = await app.anonymous.post(admin('/projections/users/rebuild'), {});
    expect([answer.status, answer.body]).toEqual([202, { projector: 'users', generation: 2 }]);
    expect((await app.anonymous.post(admin('/projections/nobody/rebuild'), {})).status).toBe(404);
  });

  test('are listed and rebuilt from the command line, by the running program', async () => {
    const rebuilt = await operated('projections', 'rebuild', 'users');
    expect(rebuilt).toMatchObject({ code: 0, err: '' });
    expect(rebuilt.out).toMatch(/^users: generation [23] is served, at position \d+\n$/);
    const output = await operated('projections', 'status');
    expect(output.out.split('\n')[0]).toBe('projector      version  generation  checkpoint  lag  parked  rebuild');
    expect(JSON.parse((await operated('projections', 'status', '--json')).out)).toEqual({ projections: await status() });
    expect(await operated('projections', 'rebuild', 'nobody')).toMatchObject({ code: 2, out: '' });
  });
});

describe('reactors', () => {
  test('report their progress', async () => {
    const { reactors, timers } = bodyOf(await app.anonymous.get<ReactorsAnswer>(admin('/reactors')));
    expect(reactors.map(({ reactor, parked }) => [reactor, parked])).toContainEqual(['analyse-version-when-added', []]);
    expect(timers.map(({ kind, parked }) => [kind, parked])).toEqual([
      ['abandon-unfinished-project', []],
      ['count-held-mailings', []],
      ['delete-trashed-files', []],
      ['email-reminder', []],
      ['remind-of-todo', []],
      ['send-digest', []],
    ]);
    expect(JSON.parse((await operated('reactors', 'status', '--json')).out)).toEqual({ reactors, timers });
    expect((await operated('reactors', 'status')).out).toMatch(/^timers +pending +due +next +parked$/m);
  });

  test('retry parked reactions; an unknown name and position 0 are refused', async () => {
    const replay = (reactor: string, body: object) => app.anonymous.post(admin(`/reactors/${reactor}/replay`), body);
    expect((await replay('analyse-version-when-added', {})).body).toEqual({ done: [], failed: [] });
    expect((await replay('nobody', {})).status).toBe(404);
    expect((await replay('analyse-version-when-added', { position: 0 })).status).toBe(400);
    expect(await operated('reactors', 'replay', 'analyse-version-when-added')).toEqual({
      code: 0,
      out: 'analyse-version-when-added: nothing is parked\n',
      err: '',
    });
    expect((await replay('delete-trashed-files', {})).body).toEqual({ done: [], failed: [], timers: 0 });
    expect((await operated('reactors', 'replay', 'delete-trashed-files')).out).toBe('delete-trashed-files: 0 parked timers are due again\n');
    expect(await operated('reactors', 'replay', 'nobody')).toEqual({ code: 2, out: '', err: 'There is no reactor with this name.\n' });
  });
});

test('only a publisher of the log is set back to a position', async () => {
  const rewind = (body: object) => app.anonymous.post(admin('/reactors/publish-to-kafka/rewind'), body);
  // This program publishes nothing.
  expect(await rewind({ to: 0 })).toMatchObject({ status: 404, body: { code: 'publishing.off' } });
  for (const body of [{}, { to: -1 }, { to: 0.5 }]) expect((await rewind(body)).status).toBe(400);
  expect(await operated('reactors', 'rewind', 'analyse-version-when-added', '--to', '0')).toMatchObject({
    code: 2,
    err: 'There is no reactor with this name.\n',
  });
  expect(await operated('reactors', 'rewind', 'publish-to-kafka')).toMatchObject({ code: 2, err: 'reactors rewind: say where to, as in --to 0\n' });
});

test('without a running program the operations work on its data folder', async () => {
  await app.restart(async () => {
    const { projections } = JSON.parse((await operated('projections', 'status', '--json')).out) as ProjectionsAnswer;
    expect(projections.map(({ projector, lag }) => [projector, lag])).toEqual(NAMES.map((name) => [name, 0]));
    expect((await operated('projections', 'rebuild', '--all')).code).toBe(0);
    const { reactors } = JSON.parse((await operated('reactors', 'status', '--json')).out) as ReactorsAnswer;
    expect(reactors.map(({ reactor }) => reactor)).toContain('analyse-version-when-added');
    expect(await operated('reactors', 'replay', 'analyse-version-when-added')).toMatchObject({ code: 0 });
    const rewind = (reactor: string, to: string) => operated('reactors', 'rewind', reactor, '--to', to);
    await (await published(5)).close();
    expect(await rewind('publish-to-kafka', '2')).toEqual({ code: 0, out: 'publish-to-kafka: set back from position 5 to 2\n', err: '' });
    expect(await rewind('publish-to-kafka', '4')).toEqual({ code: 1, out: 'publish-to-kafka: is at position 2, nothing to set back\n', err: '' });
    expect(await rewind('analyse-version-when-added', '0')).toMatchObject({ code: 2, err: 'reactors rewind: only publish-to-kafka can be set back\n' });
  });
  expect((await status()).every(({ generation }) => generation >= 2)).toBe(true);
});
