// Promise: while the disk cannot sync nothing is acknowledged, and no unacknowledged command is stored in part
// Breaks: fsync fails, then heals
// Gate: short form
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './lib/client.mjs';
import { compareAll } from './lib/compare.mjs';
import { FaultyDisk, FILES } from './lib/faulty-disk.mjs';
import { Ledger } from './lib/ledger.mjs';
import { startProgram } from './lib/program.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { PASSWORD, until } from './lib/studio.mjs';
import { Band } from './lib/work.mjs';

/** Statuses of refused commands while a sync fails. */
const UNAVAILABLE = new Set([503, 507]);
const HEALED_MS = 30_000;

/** While the log cannot be synced, commands are refused, reads continue and readiness reports it. */
async function whileLogFails({ random, band, ledger, wrong, count, disk }) {
  const [{ projectId, writers }] = band.projects;
  for (let n = 0; n < 12; n += 1) {
    const { status } = await band.command(random, ledger);
    // Commands without effect or refused by a rule need no disk.
    if (!UNAVAILABLE.has(status) && (status < 400 || status >= 500) && status !== 200) wrong(`answered ${status} while the log's sync failed`);
    if (UNAVAILABLE.has(status)) count('commands refused while a sync failed');
  }
  const page = await writers[0].call('GET', `/api/projects/${projectId}/visitor/${writers[0].uid}`);
  if (page.status !== 200) wrong(`reading a page answered ${page.status} while the log's sync failed`);
  const notWritable = async () => (await writers[0].call('GET', '/health/ready')).body.status === 'not-writable';
  await until('readiness says not-writable', notWritable, HEALED_MS).catch((error) => wrong(error.message));
  if (disk.failed.syncs === 0) wrong('no sync failed: the fault did not happen');
}

async function whileVaultFails({ band, wrong, count }) {
  const { url, email } = band.people[0];
  const { status } = await new Client(url).call('POST', '/api/auth/login', { email, password: PASSWORD });
  if (!UNAVAILABLE.has(status)) wrong(`signing in while the vault's sync failed was answered ${status}`);
  count('sign-ins refused while a sync failed');
}

async function untilWritten({ band, random, ledger, wrong }) {
  const begun = performance.now();
  try {
    await until('a command is acknowledged again', async () => (await band.command(random, ledger)).status === 201, HEALED_MS);
    await until('ready', async () => (await band.people[0].call('GET', '/health/ready')).body.status === 'ready', HEALED_MS);
  } catch (error) {
    wrong(`after the disk had healed: ${error.message}`);
  }
  return Math.round(performance.now() - begun);
}

/** Commands on a failing disk, in every second round (and the only one of the short form) with a kill before it heals. Refused commands may then be stored, but only whole. */
async function round(all, number) {
  const { random, band, ledger, disk, options, state } = all;
  const stop = new AbortController();
  const working = band.work(random, ledger, { writers: 8, signal: stop.signal });
  await pause(between(random, 50, 300));
  disk.failSyncs(oneOf(random, [FILES.log, FILES.log | FILES.read, FILES.log | FILES.vault]));
  await pause(between(random, 20, 200));
  stop.abort();
  await working;
  await whileLogFails(all);
  const killed = number % 2 === 0 || all.short;
  if (killed) await state.program.kill();
  disk.heal();
  if (killed) {
    state.program = await startProgram(options);
    band.moveTo(state.program.url);
  }
  const milliseconds = await untilWritten(all);
  disk.failSyncs(FILES.vault);
  await whileVaultFails(all);
  disk.heal();
  await untilWritten(all);
  const events = await compareAll({ ...all, people: band.people, count: () => undefined });
  all.print(
    `round ${number}: ${disk.failed.syncs} syncs failed so far, ${killed ? 'killed, ' : ''}writable again after ${milliseconds} ms, ${events.length} events`,
  );
}

export const fault = {
  name: 'fsync',
  async run({ random, short, folder, print, wrong, count, skip }) {
    const disk = new FaultyDisk(folder, skip);
    const options = { folder, preload: disk.preload, env: { ...disk.env, LOG_LEVEL: 'fatal' } };
    const state = { program: await startProgram(options) };
    const ledger = new Ledger();
    const band = await Band.form(state.program, { size: 2 });
    const all = { random, short, band, ledger, wrong, count, print, disk, folder, options, state };
    for (let number = 1; number <= (short ? 1 : 14); number += 1) await round(all, number);
    await state.program.kill();
    const again = await startProgram(options);
    band.moveTo(again.url);
    await compareAll({ folder, ledger, people: band.people, wrong, count });
    count('syncs that failed', disk.failed.syncs);
    count('commands acknowledged', ledger.acknowledged.size);
    await again.stop();
    disk.close();
  },
};
