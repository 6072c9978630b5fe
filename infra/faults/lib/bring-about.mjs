import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { forgetPrograms, programs } from './program.mjs';
import { seeded } from './seeded.mjs';
import { endServers, endServersNow, servicesFolder } from './servers.mjs';

const LIMIT_S = 180;
const SHOWN = 20;
/** What no program may ever write: errors that nobody handled. */
const UNHANDLED = /unhandled|uncaught|UnhandledPromiseRejection/i;

/** A fault that cannot be brought about on this machine. */
class Skipped extends Error {}

function skip(reason) {
  throw new Skipped(reason);
}

const say = (line) => console.log(`   ${line}`);

/** Why a fault cannot be brought about here; null when it can. */
const lacks = ({ needs }) => (needs === 'servers' && servicesFolder === null ? 'the servers to test against (../shared/services) are not there' : null);

/** Ends what a fault left running, and looks through what the programs wrote. */
async function tidy(wrong) {
  for (const program of programs()) {
    if (program.isAlive) await program.kill();
    const line = program.output.split('\n').find((each) => UNHANDLED.test(each));
    if (line !== undefined) wrong(`an error that nobody handled: ${line.slice(0, 400)}`);
  }
  forgetPrograms();
  await endServers();
}

/** Whoever ends the driver ends the programs and servers that it started. */
function endedFromOutside() {
  endServersNow();
  for (const program of programs()) if (program.isAlive) program.signal('SIGKILL');
  process.exit(1);
}

/** How long a fault may take, in milliseconds. */
export const limitOf = ({ limitS = LIMIT_S }) => limitS * 1_000;

/** Runs a fault within its limit. @returns {Promise<string | null>} why it was skipped */
async function runWithin(fault, tools) {
  const lacking = lacks(fault);
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
    tools.wrong(`it ended with ${error.stack}`);
  } finally {
    limit.abort();
  }
  return null;
}

/**
 * Brings one fault about in a folder of its own and says what came of it.
 * @param {{ seed: number, short: boolean, keep: boolean }} options `keep`: leave the folder behind
 * @returns {Promise<'passed' | 'failed' | 'skipped'>}
 */
export async function bringAbout(fault, { seed, short, keep }) {
  console.log(`\n== ${fault.name} (seed ${seed}): ${fault.about}`);
  const folder = await mkdtemp(join(tmpdir(), `roughmix-${fault.name}-`));
  const sentences = [];
  const counts = new Map();
  const started = performance.now();
  const wrong = (sentence) => sentences.push(sentence);
  const count = (what, n = 1) => counts.set(what, (counts.get(what) ?? 0) + n);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, endedFromOutside);
  process.on('unhandledRejection', (error) => wrong(`work of the driver itself ended with ${error?.stack ?? error}`));
  const skipped = await runWithin(fault, { random: seeded(seed), short, folder, say, wrong, count, skip });
  await tidy(wrong);
  if (keep) say(`left behind: ${folder}`);
  else await rm(folder, { recursive: true, force: true });
  if (skipped !== null) {
    console.log(`== ${fault.name}: skipped, ${skipped}`);
    return 'skipped';
  }
  const told = [...counts].map(([what, n]) => `${n.toLocaleString('en')} ${what}`).join(', ');
  for (const sentence of sentences.slice(0, SHOWN)) say(`WRONG: ${sentence}`);
  if (sentences.length > SHOWN) say(`… and ${sentences.length - SHOWN} more`);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`== ${fault.name}: ${told === '' ? '' : `${told}; `}${sentences.length} wrong (${seconds} s)`);
  return sentences.length === 0 ? 'passed' : 'failed';
}
