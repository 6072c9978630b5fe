// npm run faults [-- --seed N] [--short] [--only kill,torn] [--list] [--keep] [--report FILE]
// Breaks something while the real program runs, and holds it to what it acknowledged. Each fault has its own file; docs/faults.md tells them.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { forgetPrograms, programs } from './lib/program.mjs';
import { seeded } from './lib/seeded.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LIMIT_S = 180;
const SHOWN = 20;
/** What no program may ever write: errors that nobody handled. */
const UNHANDLED = /unhandled|uncaught|UnhandledPromiseRejection/i;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
});
process.chdir(ROOT);

/** A fault that cannot be brought about on this machine. */
class Skipped extends Error {}

async function load() {
  const names = (await readdir(join(ROOT, 'infra/faults'))).filter((name) => name.endsWith('.fault.mjs')).toSorted();
  return Promise.all(names.map(async (name) => (await import(`./${name}`)).fault));
}

function chosen(faults) {
  const only = values.only?.split(',');
  const unknown = only?.filter((name) => !faults.some((fault) => fault.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`no such fault: ${unknown.join(', ')}`);
  return faults.filter(({ name, short }) => (only === undefined ? !values.short || short : only.includes(name)));
}

/** Ends what a fault left running, and looks through what the programs wrote. */
async function tidy(wrong) {
  for (const program of programs()) {
    if (program.isAlive) await program.kill();
    const line = program.output.split('\n').find((each) => UNHANDLED.test(each));
    if (line !== undefined) wrong(`an error that nobody handled: ${line.slice(0, 400)}`);
  }
  forgetPrograms();
}

const say = (line) => console.log(`   ${line}`);

/** Runs a fault within its limit. @returns {Promise<string | null>} why it was skipped */
async function runWithin(fault, tools) {
  const seconds = fault.limitS ?? LIMIT_S;
  const limit = new AbortController();
  const late = pause(seconds * 1_000, null, { signal: limit.signal }).then(
    () => Promise.reject(new Error(`not done after ${seconds} s`)),
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

function skip(reason) {
  throw new Skipped(reason);
}

/** @returns {Promise<'passed' | 'failed' | 'skipped'>} */
async function bringAbout(fault) {
  console.log(`\n== ${fault.name} (seed ${values.seed}): ${fault.about}`);
  const folder = await mkdtemp(join(tmpdir(), `roughmix-${fault.name}-`));
  const sentences = [];
  const counts = new Map();
  const started = performance.now();
  const wrong = (sentence) => sentences.push(sentence);
  const count = (what, n = 1) => counts.set(what, (counts.get(what) ?? 0) + n);
  const skipped = await runWithin(fault, { random: seeded(Number(values.seed)), short: values.short, folder, say, wrong, count, skip });
  await tidy(wrong);
  if (!values.keep) await rm(folder, { recursive: true, force: true });
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

const faults = chosen(await load());
if (values.list) {
  for (const { name, about, short } of faults) console.log(`${name.padEnd(18)}${short ? 'short, full' : 'full       '}  ${about}`);
} else {
  process.on('unhandledRejection', (error) => {
    console.error('the driver itself left a rejection unhandled:', error);
    process.exit(1);
  });
  const results = [];
  for (const fault of faults) results.push({ name: fault.name, result: await bringAbout(fault) });
  const number = (result) => results.filter((each) => each.result === result).length;
  if (values.report) await writeFile(values.report, JSON.stringify({ passed: number('passed'), failed: number('failed'), skipped: number('skipped') }));
  const failed = results.filter(({ result }) => result === 'failed').map(({ name }) => name);
  if (failed.length > 0) console.log(`\nfailed: ${failed.join(', ')}`);
  console.log(`\nfaults, seed ${values.seed}: ${number('passed')} passed, ${number('failed')} failed, ${number('skipped')} skipped`);
  if (failed.length > 0) process.exitCode = 1;
}
