// Promise: a moved installation lacks nothing, doubles nothing, and its source is unchanged
// Breaks: the move to the servers is killed midway
// Gate: backend/src/platform/moving/move-installation.spec.ts "copies every event in order, every record and every file"
// Gate: backend/src/platform/moving/move-installation.spec.ts "continues after an interruption, and cannot be repeated once it is complete"
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { comparePages } from './lib/compare.mjs';
import { Ledger } from './lib/ledger.mjs';
import { readLog } from './lib/log-fold.mjs';
import { ADMIN_KEY, MASTER_KEY, operate, refusedStart, startProgram } from './lib/program.mjs';
import { between } from './lib/seeded.mjs';
import { startServers } from './lib/servers.mjs';
import { addVersion, reactorsDone } from './lib/studio.mjs';
import { Band } from './lib/work.mjs';

const MOVE = ['move', '--from', 'embedded', '--to', 'eventstoredb'];

/** Runs the move in a process and kills it after some milliseconds. @returns whether it was still running */
async function killedMove(folder, env, milliseconds) {
  const all = { PATH: process.env.PATH, HOME: folder, DATA_DIR: folder, LOG_LEVEL: 'warn', ADMIN_KEY, MASTER_KEY, ...env };
  const child = spawn(process.execPath, ['backend/dist/operate.js', ...MOVE], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: all,
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('close', (code) => resolve(code)));
  await pause(milliseconds);
  child.kill('SIGKILL');
  return (await ended) === null;
}

/** Data on the embedded default: songs, versions, comments, and an idempotency key with a stored answer. */
async function firstWeek({ data, env, random, short }) {
  const program = await startProgram({ folder: data, env });
  const ledger = new Ledger();
  const band = await Band.form(program, { size: short ? 2 : 4 });
  const stop = new AbortController();
  const working = band.work(random, ledger, { writers: 4, signal: stop.signal });
  await pause(short ? 1_500 : 6_000);
  stop.abort();
  await working;
  const [{ projectId }] = band.projects;
  await addVersion(band.people[0], projectId);
  const body = { projectId, submission: { content: 'Said before the move' } };
  const { newComment } = await band.people[0].must('POST', '/api/comments', body, { key: 'said-once' });
  await reactorsDone(band.people[0]);
  return { program, band, ledger, said: { body, id: newComment._id } };
}

async function refused({ data, env, what, options = {}, wrong, says }) {
  const { code, err } = await operate(data, MOVE, { env: { ...env, ...options } });
  if (code === 0 || !err.includes(says)) wrong(`a move ${what} ended with ${code}: ${err.trim()}`);
}

/** The program on the servers must continue where the embedded one stopped: same users, still signed in, same pages, files and stored answers. */
async function compareThere({ program, band, said, events, wrong, count }) {
  band.moveTo(program.url);
  await reactorsDone(band.people[0]);
  count('projects compared', await comparePages({ events, owners: new Map(band.people.map((each) => [each.uid, each])), wrong }));
  for (const each of band.people) {
    for (const { currentVersion } of (await each.must('GET', `/api/projects/${each.uid}`)).projects) {
      const { status, headers, body } = await each.call('GET', currentVersion.versionUrl);
      const file = status === 302 ? await fetch(headers.location) : { status, ok: status === 200, arrayBuffer: () => body };
      if (!file.ok || (await file.arrayBuffer()).byteLength === 0) wrong(`the audio of a moved version answers ${status}, ${file.status}`);
      if (currentVersion.state !== 'ready') wrong(`a moved version is ${currentVersion.state}`);
    }
  }
  const again = await band.people[0].call('POST', '/api/comments', said.body, { key: 'said-once' });
  if (again.body?.newComment?._id !== said.id) wrong(`a command repeated after the move answered ${again.status} and was executed again`);
  const added = await addVersion(band.people[0], band.projects[0].projectId);
  if (added.status !== 201) wrong(`a version added after the move was answered ${added.status}`);
}

export const fault = {
  name: 'move',
  needs: 'servers',
  async run({ random, short, folder, print, wrong, count }) {
    const data = join(folder, 'data');
    await mkdir(data);
    const env = { ERASURES_FILE: join(folder, 'erasures.ndjson') };
    const [{ program, band, said }, servers] = await Promise.all([
      firstWeek({ data, env, random, short }),
      startServers({ folder: join(folder, 'servers'), only: ['eventstore', 'mongodb', 's3'] }),
    ]);
    const there = { ...env, ...servers.env };
    await refused({ data, env: there, what: 'with the program running', wrong, says: 'open' });
    await program.stop();
    const events = readLog(data);
    await refused({ data, env: there, what: 'without MongoDB', options: { MONGO_URL: '' }, wrong, says: 'MONGO_URL' });
    await refused({ data, env: there, what: 'with another key', options: { MASTER_KEY: 'another-master-key-8a41c07de95b4f63' }, wrong, says: 'MASTER_KEY' });

    let killed = 0;
    for (let round = 0; round < (short ? 2 : 8); round += 1) killed += (await killedMove(data, there, between(random, 400, short ? 1_500 : 4_000))) ? 1 : 0;
    const moved = await operate(data, MOVE, { env: there, milliseconds: 120_000 });
    const isDone = moved.code === 0 || moved.err.includes('already been moved');
    if (!isDone) throw new Error(`the move ended with ${moved.code}: ${moved.err}${moved.out}`);
    print(`${killed} moves killed; ${moved.out.trim().split('\n')[0]}`);
    if (!isDeepStrictEqual(readLog(data), events)) wrong('the move changed its source');
    await refused({ data, env: there, what: 'done already', wrong, says: 'already been moved' });
    const left = await refusedStart({ folder: data, env });
    if (left.code === 0 || left.hasStarted) wrong('the embedded program continues with a log that was moved');

    const second = join(folder, 'second');
    await mkdir(second);
    const onServers = await startProgram({ folder: second, env: there });
    await compareThere({ program: onServers, band, said, events, wrong, count });
    await onServers.stop();
    count('events moved', events.length);
    count('moves killed', killed);
  },
};
