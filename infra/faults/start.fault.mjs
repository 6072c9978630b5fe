// Promise: a program that loses MongoDB while it starts says so in one sentence and exits with 1, or starts
// Breaks: connections to MongoDB are cut, and refused from then on, at a random moment of a start
// Gate: backend/src/start-failure.spec.ts "an unavailable store is reported by its message; damage, by its message and what to do"
// Gate: backend/src/platform/mongo/mongo-connection.spec.ts "is reported as ServiceUnavailable if nothing listens at its address"
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { programs, START_MS, tryProgram } from './lib/program.mjs';
import { Proxy } from './lib/proxy.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { startServers } from './lib/servers.mjs';
import { until } from './lib/studio.mjs';

const ROLES = ['web', 'web,projector,reactor', 'projector,reactor'];
/** From the first connection to MongoDB; a start usually takes less. */
const LATEST_MS = 4_000;
/** Longer than a call to MongoDB may take, so that what fails without being noticed has failed by then. */
const AFTERWARDS_MS = 5_000;
const SENTENCE = /^Roughmix could not start: .+$/;

/** Starts a program and cuts its connections to MongoDB after some milliseconds. @returns the program once it listens or has exited */
async function startCutOff({ folder, env, roles, milliseconds }) {
  const proxy = await Proxy.to(env.MONGO_URL);
  const mine = { ...env, MONGO_URL: `${proxy.url.replace('http:', 'mongodb:')}/start`, ROLES: roles, PUBLIC_URL: 'http://roughmix.localhost' };
  const before = programs().length;
  const starting = tryProgram({ folder, env: mine });
  await until('it connects to MongoDB', () => proxy.connections > 0 || programs()[before]?.isAlive === false, START_MS);
  await pause(milliseconds);
  proxy.close();
  return starting;
}

export const fault = {
  name: 'start',
  needs: 'servers',
  limitS: 600,
  async run({ random, short, folder, print, wrong, count }) {
    const { env, stop } = await startServers({ folder: join(folder, 'servers'), only: ['eventstore', 'mongodb', 's3'] });
    for (let round = 1; round <= (short ? 3 : 20); round += 1) {
      const [roles, milliseconds] = [oneOf(random, ROLES), between(random, 0, LATEST_MS)];
      const program = await startCutOff({ folder: join(folder, `program-${round}`), env, roles, milliseconds });
      const isStarted = program.url !== '';
      if (isStarted) await pause(AFTERWARDS_MS);
      const said = program.output.trim().split('\n').at(-1) ?? '';
      if (isStarted && !program.isAlive) wrong(`${roles}, cut off after ${milliseconds} ms: it listened, then exited: ${said.slice(0, 400)}`);
      const { code } = program.isAlive ? await program.kill() : await program.ended();
      if (!isStarted && (code !== 1 || !SENTENCE.test(said))) wrong(`${roles}, cut off after ${milliseconds} ms: exit code ${code}: ${said.slice(0, 400)}`);
      print(`${roles}, cut off after ${milliseconds} ms: ${isStarted ? 'started' : said}`);
      count(isStarted ? 'programs that started' : 'programs that could not start');
    }
    await stop();
  },
};
