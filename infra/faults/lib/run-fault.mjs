import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { forgetPrograms, programs } from './program.mjs';
import { seeded } from './seeded.mjs';
import { endServers, endServersNow, servicesFolder } from './servers.mjs';

const LIMIT_S = 180;
const SHOWN = 20;
/** Signs of unhandled errors in a program's output. */
const UNHANDLED = /unhandled|uncaught|UnhandledPromiseRejection/i;

/** This machine cannot run the fault. */
class Skipped extends Error {}

function skip(reason) {
  throw new Skipped(reason);
}

const print = (line) => console.log(`   ${line}`);

/** Why a fault cannot run here; null if it can. */
const skipReason = ({ needs }) => (needs === 'servers' && servicesFolder === null ? 'the test servers (../shared/services) are missing' : null);

/** Stops everything a fault left running and searches the programs' output for unhandled errors. */
async function tidy(wrong) {
  for (const program of programs()) {
    if (program.isAlive) await program.kill();
    const line = program.output.split('\n').find((each) => UNHANDLED.test(each));
    if (line !== undefined) wrong(`unhandled error: ${line.slice(0, 400)}`);
  }
  forgetPrograms();
  await endServers();
}

/** Stops the started programs and servers when the driver itself is stopped. */
function stopOnSignal() {
  endServersNow();
  for (const program of programs()) if (program.isAlive) program.signal('SIGKILL');
  process.exit(1);
}

/** A fault's time limit in milliseconds. */
export const limitOf = ({ limitS = LIMIT_S }) => limitS * 1_000;

/** Runs a fault within its time limit. @returns {Promise<string | null>} why it was skipped */
async function runWithin(fault, tools) {
  const lacking = skipReason(fault);
  if (lacking !== null) return lacking;
  const limit = new AbortController();
  const late = pause(limitOf(fault), null, { signal: limit.signal }).then(
    () => Promise.reject(new Error(`not done after ${limitOf(fault) / 1_000} s`)),
    () => undefined,
  );
  try {
    await Promise.race([fault.run(tools), late]);
  } catch (error) {
    if (error instanceof Skipped) return error.message;
    tools.wrong(`it failed with ${error.stack}`);
  } finally {
    limit.abort();
  }
  return null;
}

/**
 * Runs one fault in its own folder and prints the result.
 * @param {{ seed: number, short: boolean, keep: boolean }} options `keep`: do not delete the folder
 * @returns {Promise<'passed' | 'failed' | 'skipped'>}
 */
export async function runFault(fault, { seed, short, keep }) {
  console.log(`\n== ${fault.name} (seed ${seed}): ${fault.breaks}: ${fault.promise}`);
  const folder = await mkdtemp(join(tmpdir(), `roughmix-${fault.name}-`));
  const sentences = [];
  const counts = new Map();
  const started = performance.now();
  const wrong = (sentence) => sentences.push(sentence);
  const count = (what, n = 1) => counts.set(what, (counts.get(what) ?? 0) + n);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stopOnSignal);
  process.on('unhandledRejection', (error) => wrong(`unhandled error in the driver: ${error?.stack ?? error}`));
  const skipped = await runWithin(fault, { random: seeded(seed), short, folder, print, wrong, count, skip });
  await tidy(wrong);
  if (keep) print(`left behind: ${folder}`);
  else await rm(folder, { recursive: true, force: true });
  if (skipped !== null) {
    console.log(`== ${fault.name}: skipped, ${skipped}`);
    return 'skipped';
  }
  const told = [...counts].map(([what, n]) => `${n.toLocaleString('en')} ${what}`).join(', ');
  for (const sentence of sentences.slice(0, SHOWN)) print(`WRONG: ${sentence}`);
  if (sentences.length > SHOWN) print(`… and ${sentences.length - SHOWN} more`);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`== ${fault.name}: ${told === '' ? '' : `${told}; `}${sentences.length} wrong (${seconds} s)`);
  return sentences.length === 0 ? 'passed' : 'failed';
}
