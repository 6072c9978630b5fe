import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SecurityEvent } from '../platform/security/security-event.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { operate } from '../testing/operate.js';

const MASTER_KEY = 'an-operators-master-key-5c1e90';
const EMAIL = 'ana.tester@example.org';

let app: TestApp;
let ana: Person;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-operator-'));
  app = await startApp({ MASTER_KEY });
  ana = await app.person('Ana');
});
afterAll(async () => {
  await app.stop();
  await rm(folder, { recursive: true });
});

interface Run {
  readonly code: number;
  /** The lines of the security channel on standard output. */
  readonly security: readonly string[];
  /** Its other lines. */
  readonly out: readonly string[];
  readonly err: string;
}

async function run(environment: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Run> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const all = { DATA_DIR: app.folder, ERASURES_FILE: join(app.folder, 'erasures', 'erasures.ndjson'), ADMIN_KEY: app.adminKey, MASTER_KEY, ...environment };
  const code = await operate(args, all, { out, err, signal: new AbortController().signal });
  out.end();
  err.end();
  const lines = (await text(out)).split('\n').filter((line) => line !== '');
  const isSecurity = (line: string): boolean => line.startsWith('{"channel":"security"');
  return { code, security: lines.filter(isSecurity), out: lines.filter((line) => !isSecurity(line)), err: await text(err) };
}

/** The exact line, but for the time. */
const said = (event: SecurityEvent, target: string | null) =>
  expect.stringMatching(
    new RegExp(
      `^\\{"channel":"security","time":\\d{13},"event":"${event}","actor":"operator","address":null,"target":"${target}","outcome":"ok","requestId":null\\}$`,
    ),
  );

test('what the operator does while the program is stopped is recorded by the operation, without names or addresses of people', async () => {
  const backups = join(folder, 'backups');
  const made = await run({}, 'backup', '--to', backups);
  const [backup = ''] = await readdir(backups);
  expect(made).toMatchObject({ code: 0, security: [said('backup.made', backup)] });

  const restored = await run({ DATA_DIR: join(folder, 'restored') }, 'restore', '--from', backups);
  expect(restored).toMatchObject({ code: 0, security: [said('backup.restored', backup)] });
  expect(restored.err).not.toContain('ADMIN KEY');

  await app.restart(async () => {
    expect(await run({}, 'projections', 'rebuild', 'users')).toMatchObject({ code: 0, security: [said('readmodels.rebuilt', 'users')] });
    const erased = await run({}, 'users', 'erase', EMAIL);
    expect(erased.code).toBe(0);
    expect(erased.security.at(-1)).toEqual(said('account.erased', ana.uid));
    expect(erased.security.join('')).not.toContain(EMAIL);
  });

  const data = join(folder, 'restored again');
  const again = await run({ DATA_DIR: data, ADMIN_KEY: '' }, 'restore', '--from', join(backups, backup));
  expect(again.security.slice(-2)).toEqual([said('account.erased', ana.uid), said('backup.restored', backup)]);
  expect(again.err).toContain(`ADMIN KEY NOT INCLUDED: the next start creates a new one, ${join(data, 'admin.key')}.`);
});

test('a backup is verified as a whole, and one with a changed file is reported with the path and exit code 1', async () => {
  const backups = join(folder, 'verified');
  await run({}, 'backup', '--to', backups);
  const [backup = ''] = await readdir(backups);
  const verify = (): Promise<Run> => run({ DATA_DIR: join(folder, 'none') }, 'backup', 'verify', '--from', backups);
  const { code, out } = await verify();
  expect([code, out]).toEqual([0, [expect.stringMatching(`^${join(backups, backup)} is intact: the log up to position [1-9]\\d*, \\d+ files, `)]]);
  await appendFile(join(backups, backup, 'vault.db'), 'x');
  const damaged = await verify();
  expect([damaged.code, damaged.out[0]]).toEqual([1, `${join(backups, backup, 'vault.db')} differs from the file that was backed up`]);
});

test('an operation that fails records nothing', async () => {
  expect(await run({ DATA_DIR: join(folder, 'third') }, 'restore', '--from', folder)).toMatchObject({ code: 2, security: [] });
});
