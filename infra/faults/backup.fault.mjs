// Promise: the restored data is a complete prefix, plays, and can be backed up again
// Breaks: backup under load, with backup and restore killed midway
// Gate: backend/src/platform/backup/backup.spec.ts "contains the whole log, the vault and the files and nothing else, even if the stores are open"
// Gate: backend/src/platform/backup/backup.spec.ts "that was interrupted cannot be restored, and the next one removes it"
// Gate: backend/src/platform/backup/backup.spec.ts "that was interrupted keeps programs from starting, and can be repeated"
import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { comparePages } from './lib/compare.mjs';
import { Ledger } from './lib/ledger.mjs';
import { disorder, readLog } from './lib/log-fold.mjs';
import { ADMIN_KEY, MASTER_KEY, operate, refusedStart, START_MS, startProgram } from './lib/program.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { addVersion, reactorsDone, signIn, smallWav, until } from './lib/studio.mjs';
import { Band } from './lib/work.mjs';

/** Runs an operator command and kills it some time after it started writing. @returns whether it was still running */
async function killedOperation({ folder, args, env, hasBegun, milliseconds }) {
  const all = { PATH: process.env.PATH, HOME: folder, DATA_DIR: folder, LOG_LEVEL: 'warn', ADMIN_KEY, MASTER_KEY, ...env };
  const child = spawn(process.execPath, ['backend/dist/operate.js', ...args], { env: all, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', (code) => resolve(code)));
  await until('it writes', () => hasBegun() || child.exitCode !== null, START_MS);
  await pause(milliseconds);
  child.kill('SIGKILL');
  return (await ended) === null;
}

const newestIn = async (backups) =>
  (await readdir(backups))
    .filter((name) => !name.startsWith('.'))
    .toSorted()
    .at(-1);
const manifestOf = async (backup) => JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8'));

/** The slowest command and the rate of answered commands during `work`. */
async function during(band, ledger, random, work) {
  const stop = new AbortController();
  const before = ledger.acknowledged.size;
  const begun = performance.now();
  const working = band.work(random, ledger, { writers: 12, signal: stop.signal });
  await pause(200);
  const answer = await work();
  stop.abort();
  await working;
  return { answer, perSecond: Math.round(((ledger.acknowledged.size - before) * 1_000) / (performance.now() - begun)) };
}

/** The restored log must be a prefix of the backed-up one that splits no command. */
function comparePrefix({ whole, restored, position, ledger, wrong }) {
  for (const sentence of disorder(restored)) wrong(`restored: ${sentence}`);
  if (restored.length !== position) wrong(`restored ${restored.length} events, the manifest says ${position}`);
  restored.forEach((event, at) => {
    if (!isDeepStrictEqual(event, whole[at])) wrong(`restored event ${at + 1} is not the one that was backed up`);
  });
  const next = whole[position];
  if (next !== undefined && next.meta.commandId === restored.at(-1)?.meta.commandId && next.stream === restored.at(-1)?.stream) {
    wrong(`command ${next.meta.commandId} was split`);
  }
  const there = new Set(restored.map(({ meta }) => meta.commandId));
  for (const [key, { position: at }] of ledger.acknowledged)
    if (at > 0 && at <= position && !there.has(key)) wrong(`acknowledged at ${at} and not restored: ${key}`);
}

/** Every page of the restored program must equal our own fold, with all files present and pending analyses completed. */
async function comparePlayable({ folder, program, emails, wrong, count }) {
  const people = await Promise.all(emails.map((email) => signIn(program.url, email)));
  await reactorsDone(people[0]);
  const events = readLog(folder);
  count('projects compared', await comparePages({ events, owners: new Map(people.map((each) => [each.uid, each])), wrong }));
  for (const each of people) {
    for (const { currentVersion } of (await each.must('GET', `/api/projects/${each.uid}`)).projects) {
      if (currentVersion?.state !== 'ready') wrong(`a restored version is ${currentVersion?.state}`);
      const audio = await each.call('GET', currentVersion.versionUrl);
      if (audio.status !== 200 || audio.body.length < 1_000) wrong(`the audio of a restored version answers ${audio.status}`);
    }
  }
  return people;
}

/** A changed byte anywhere in a backup must be detected before anything is written. */
async function refuseTampered({ backup, folder, env, random, wrong, count, files }) {
  for (const file of files) {
    const copy = join(folder, `tampered-${file.replaceAll('/', '-')}`);
    await cp(backup, copy, { recursive: true });
    const bytes = await readFile(join(copy, file));
    const at = between(random, 0, bytes.length - 1);
    bytes[at] ^= 1 << between(random, 0, 6);
    await writeFile(join(copy, file), bytes);
    const target = `${copy}-target`;
    const { code } = await operate(target, ['restore', '--from', copy], { env });
    if (code === 0 && file !== 'manifest.json') wrong(`a backup with byte ${at} of ${file} changed was restored`);
    if (code !== 0 && existsSync(join(target, 'log.db'))) wrong(`a refused restore wrote into its target (${file})`);
    count('tampered backups');
  }
}

async function restoreKilled({ folder, backups, env, random, short, print, wrong, count }) {
  const target = join(folder, 'restored');
  for (let round = 0; round < (short ? 1 : 5); round += 1) {
    const milliseconds = between(random, 0, 400);
    const hasBegun = () => existsSync(join(target, 'log.db'));
    if (!(await killedOperation({ folder: target, args: ['restore', '--from', backups], env, hasBegun, milliseconds }))) return target;
    count('restores killed');
    // Killed after its last step, it is complete.
    if (!existsSync(join(target, 'restore.unfinished'))) return target;
    const { code, hasStarted } = await refusedStart({ folder: target, env });
    if (code === 0 || hasStarted) wrong(`half a restore was started (exit code ${hasStarted ? 'none: it ran on' : code})`);
    else print(`killed ${milliseconds} ms into a restore: the start is refused with ${code}`);
  }
  const { code, err } = await operate(target, ['restore', '--from', backups], { env });
  if (code !== 0) wrong(`restore ended with ${code}: ${err}`);
  return target;
}

/** Usually longer than a backup takes. */
const SOON_MS = 5_000;

/** A todo whose reminder becomes due after the backup and before the restore. */
async function dueSoon(owner, projectId) {
  const dueDate = Date.now() + SOON_MS;
  const submission = { content: 'Listen', dueDate, reminder: { 'When Todo is due': 0 } };
  const { newTodo } = await owner.must('POST', '/api/todos', { projectId, submission });
  return { todoId: newTodo._id, dueDate };
}

/** A reminder that was due before the restore must count as sent without firing again. */
async function compareReminder({ folder, end, todoId, wrong, count }) {
  const reminders = () => readLog(folder).filter(({ type, data }) => type.startsWith('TodoReminder') && data.todoId === todoId);
  await until('the reminder counts as sent', () => reminders().length > 0);
  const wrongly = reminders().filter(({ type, position }, at) => at > 0 || (type !== 'TodoReminderSkipped' && position > end));
  for (const { type, position } of wrongly) wrong(`a reminder that was due before the restore left ${type} at ${position}`);
  count('reminders due before a restore');
}

async function backUpUnderLoad({ program, data, backups, env, band, ledger, random, short, print, wrong, count }) {
  for (let round = 0; round < (short ? 1 : 4); round += 1) {
    const milliseconds = between(random, 0, 150);
    const hasBegun = () => existsSync(backups) && readdirSync(backups).some((name) => name.startsWith('.'));
    const kill = () => killedOperation({ folder: data, args: ['backup', '--to', backups], env, hasBegun, milliseconds });
    const { answer } = await during(band, ledger, random, kill);
    if (answer) count('backups killed');
  }
  await addVersion(band.people[0], band.projects[0].projectId, { wav: smallWav(2) });
  const reminder = await dueSoon(band.people[0], band.projects[0].projectId);
  const { answer, perSecond } = await during(band, ledger, random, () => operate(data, ['backup', '--to', backups], { env }));
  if (answer.code !== 0) wrong(`backup ended with ${answer.code}: ${answer.err}`);
  print(`backed up during ${perSecond} commands/s`);
  if (!program.isAlive) wrong('the program ended while it was backed up');
  return reminder;
}

export const fault = {
  name: 'backup',
  async run({ random, short, folder, print, wrong, count }) {
    const [data, backups] = [join(folder, 'data'), join(folder, 'backups')];
    await mkdir(data);
    const env = { ERASURES_FILE: join(folder, 'erasures.ndjson') };
    const program = await startProgram({ folder: data, env });
    const ledger = new Ledger();
    const band = await Band.form(program, { size: short ? 2 : 4 });
    const emails = band.people.map(({ email }) => email);
    const reminder = await backUpUnderLoad({ program, data, backups, env, band, ledger, random, short, print, wrong, count });
    await program.stop();
    const backup = join(backups, await newestIn(backups));
    const { log } = await manifestOf(backup);
    await refuseTampered({
      backup,
      folder,
      env,
      random,
      wrong,
      count,
      files: short ? ['vault.db'] : ['log.db', 'vault.db', 'files.ndjson', await oneBlob(backup, random)],
    });
    await until('the reminder is due', () => Date.now() > reminder.dueDate);
    const target = await restoreKilled({ folder, backups, env, random, short, print, wrong, count });
    comparePrefix({ whole: readLog(data), restored: readLog(target), position: log.position, ledger, wrong });

    const again = await startProgram({ folder: target, env });
    const people = await comparePlayable({ folder: target, program: again, emails, wrong, count });
    await compareReminder({ folder: target, end: log.position, todoId: reminder.todoId, wrong, count });
    await people[0].must('POST', '/api/comments', { projectId: band.projects[0].projectId, submission: { content: 'After the restore' } });
    await until('the restored program is backed up', async () => (await operate(target, ['backup', '--to', join(folder, 'second')], { env })).code === 0);
    await again.stop();
    await restoreSecond({ folder, target, env, log, wrong });
    count('events restored', log.position);
    count('commands acknowledged', ledger.acknowledged.size);
  },
};

/** A backup of the restored installation can be restored too, under a new log identity. */
async function restoreSecond({ folder, target, env, log, wrong }) {
  const second = join(folder, 'restored-again');
  const { code, err } = await operate(second, ['restore', '--from', join(folder, 'second')], { env });
  if (code !== 0) throw new Error(`the restore of the second backup ended with ${code}: ${err}`);
  if (!isDeepStrictEqual(readLog(second), readLog(target))) wrong('the second restore is not what was backed up');
  const { log: own } = await manifestOf(join(folder, 'second', await newestIn(join(folder, 'second'))));
  if (own.identity === log.identity) wrong('the restored log has the identity of the one it came from');
}

async function oneBlob(backup, random) {
  const keys = (await readFile(join(backup, 'files.ndjson'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).key);
  return `blobs/${oneOf(random, keys)}`;
}
