// Promise: all mistakes in the environment are reported at once and nothing is opened
// Breaks: wrong and misspelt variables, and an unhandled error, which ends the program
// Gate: backend/src/platform/config/config.spec.ts "every mistake is reported at once"
// Gate: backend/src/platform/config/config.spec.ts "variables that seem to be meant for the program but have no effect are reported without their values"
// Gate: backend/src/start-failure.spec.ts "exits with 2 and one sentence for a wrong variable, and lists several"
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from './lib/client.mjs';
import { freePort } from './lib/free-port.mjs';
import { MASTER_KEY, START_MS, startProgram } from './lib/program.mjs';
import { until } from './lib/studio.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs the program until it exits. */
async function run({ env, nodeArgs = [] }) {
  const child = spawn(process.execPath, [...nodeArgs, 'backend/dist/main.js'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: START_MS,
    killSignal: 'SIGKILL',
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
  const [code, signal] = await once(child, 'close');
  return { code: code ?? signal, out, err };
}

const isThere = (path) =>
  access(path).then(
    () => true,
    () => false,
  );

async function fiveMistakes(folder, wrong) {
  const data = join(folder, 'never');
  const env = { DATA_DIR: data, PORT: 'eighty', METRICS_PORT: '-1', PUBLIC_URL: 'mix.example', ADMIN_KEY_FILE: join(folder, 'no-key'), LOG_LEVEL: 'loud' };
  const { code, out, err } = await run({ env });
  const reported = err.split('\n').filter((line) => line.startsWith('  '));
  const names = reported.map((line) => line.trim().split(/[: ]/)[0]);
  if (code !== 2) wrong(`five mistakes: exit code ${code}, not 2`);
  if (names.join(' ') !== 'PORT METRICS_PORT PUBLIC_URL ADMIN_KEY_FILE LOG_LEVEL') wrong(`five mistakes were reported as: ${err}${out}`);
  if (await isThere(data)) wrong('a data folder was created although the environment is invalid');
}

async function misspelt(folder, wrong) {
  const program = await startProgram({ folder: join(folder, 'misspelt'), env: { PUBLIC_URI: 'https://secret.example', MONGO_URI: 'mongodb://secret' } });
  await program.stop();
  for (const name of ['PUBLIC_URI', 'MONGO_URI'])
    if (!program.output.includes(`${name} is unknown; did you mean `)) wrong(`no warning that ${name} has no effect`);
  if (program.output.includes('secret')) wrong('the value of a misspelt variable was printed');
}

/** These errors are planted, so this output is not searched for unhandled errors. */
async function exitsOnUnhandledErrors(folder, wrong) {
  const planted = [
    ['a rejection', "Promise.reject(new Error('planted'))"],
    ['an exception', "throw new Error('planted')"],
  ];
  const plant = async ([what, mistake]) => {
    const code = `const planting = setInterval(() => { if (process.listenerCount('uncaughtException') > 0) { clearInterval(planting); ${mistake}; } }, 20)`;
    const env = { DATA_DIR: join(folder, what), PORT: await freePort(), MASTER_KEY };
    const ended = await run({ env, nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(code)}`] });
    const fatal = ended.out.split('\n').find((line) => line.includes('"level":60'));
    if (ended.code !== 1) wrong(`unhandled ${what}: exit code ${ended.code}, not 1`);
    if (fatal?.includes('planted') !== true) wrong(`unhandled ${what} is not logged as fatal`);
  };
  await Promise.all(planted.map(plant));
}

async function takenPorts(folder, wrong) {
  const first = await startProgram({ folder: join(folder, 'first'), env: { METRICS_PORT: '0' } });
  const metricsUrl = () => /Metrics are at (\S+)/.exec(first.output)?.[1];
  await until('the address of the metrics is logged', () => metricsUrl() !== undefined);
  const env = { DATA_DIR: join(folder, 'second'), PORT: await freePort(), METRICS_PORT: new URL(metricsUrl()).port, MASTER_KEY };
  const { code, err } = await run({ env });
  if (code !== 1 || !err.includes('METRICS_PORT: cannot listen on') || !err.includes('EADDRINUSE'))
    wrong(`a taken METRICS_PORT: exit code ${code} and ${err.slice(-300)}`);
  const { status, body } = await new Client(metricsUrl()).call('GET', '/metrics');
  if (status !== 200 || !String(body).includes('roughmix_ready 1')) wrong(`/metrics beside it: ${status}`);
  await first.stop();
}

export const fault = {
  name: 'config',
  async run({ folder, wrong, count }) {
    await Promise.all([fiveMistakes(folder, wrong), misspelt(folder, wrong)]);
    await exitsOnUnhandledErrors(folder, wrong);
    await takenPorts(folder, wrong);
    count('starts', 6);
  },
};
