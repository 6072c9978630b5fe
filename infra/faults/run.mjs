// npm run faults [-- --seed N] [--short] [--only kill,torn] [--needs servers|nothing] [--jobs N] [--list] [--table] [--keep] [--report FILE]
// Breaks something while the real program runs and checks it against what it acknowledged. Each fault has its own file and process; docs/faults.md lists them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { faultNames, headerOf, isInGate, promisesTable } from './lib/headers.mjs';
import { runFault, limitOf } from './lib/run-fault.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    needs: { type: 'string' },
    jobs: { type: 'string' },
    list: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    report: { type: 'string' },
    one: { type: 'string' },
  },
});
process.chdir(fileURLToPath(new URL('../../', import.meta.url)));

/** Extra time for cleaning up after a fault's time limit. */
const GRACE_MS = 45_000;

/** The result of a fault by the exit code of its process. */
const EXITS = ['passed', 'failed', 'skipped'];

/** A fault with what its header says. */
const load = async (name) => ({ ...headerOf(name), ...(await import(`./${name}.fault.mjs`)).fault });

function chosen(faults) {
  const only = values.only?.split(',');
  const unknown = only?.filter((name) => !faults.some((fault) => fault.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`unknown fault: ${unknown.join(', ')}`);
  if (!['servers', 'nothing', undefined].includes(values.needs)) throw new Error(`--needs ${values.needs}: servers or nothing`);
  return faults
    .filter(({ needs = 'nothing' }) => values.needs === undefined || values.needs === needs)
    .filter((fault) => (only === undefined ? !values.short || isInGate(fault) : only.includes(fault.name)));
}

/** The processes of the faults that are running. */
const running = new Set();

/** Each ends what it has started. */
function stopOnSignal(signal) {
  for (const child of running) child.kill(signal);
  process.exit(1);
}

/** Runs a fault in its own process and kills it if it ignores its time limit. Output of parallel faults is printed when they finish. */
async function inProcess(fault, isAlone) {
  const args = ['--one', fault.name, '--seed', values.seed, ...(values.short ? ['--short'] : []), ...(values.keep ? ['--keep'] : [])];
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], { stdio: ['ignore', isAlone ? 'inherit' : 'pipe', 'inherit'] });
  running.add(child);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
  const unresponsive = setTimeout(
    () => {
      output += `\n== ${fault.name}: killed, its process was not responding\n`;
      child.kill('SIGKILL');
    },
    limitOf(fault) + GRACE_MS,
  );
  const [code] = await once(child, 'close');
  clearTimeout(unresponsive);
  running.delete(child);
  process.stdout.write(output);
  return { name: fault.name, result: EXITS[code ?? 1] ?? 'failed' };
}

/** Runs faults in order, with the given number of jobs in parallel. */
async function inProcesses(faults, jobs) {
  const left = [...faults];
  const results = [];
  const one = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) results.push(await inProcess(next, jobs === 1));
  };
  await Promise.all(Array.from({ length: jobs }, one));
  return results;
}

/** Faults that check durations run last, one at a time. */
async function inOrder(faults) {
  const parallel = faults.filter(({ alone = false }) => !alone);
  const alone = faults.filter((fault) => !parallel.includes(fault));
  return [...(await inProcesses(parallel, Number(values.jobs ?? 2))), ...(await inProcesses(alone, 1))];
}

async function main() {
  if (values.table) return console.log(promisesTable());
  if (values.one) {
    const result = await runFault(await load(values.one), { seed: Number(values.seed), short: values.short, keep: values.keep });
    // A fault past its time limit may still be running.
    process.stdout.write('', () => process.exit(EXITS.indexOf(result)));
    return;
  }
  const faults = await Promise.all(faultNames().map(load));
  if (values.list) {
    for (const { name, promise, needs = '', ...fault } of faults)
      console.log(`${name.padEnd(20)}${isInGate(fault) ? 'short, full' : 'full       '}  ${needs.padEnd(7)}  ${promise}`);
    return;
  }
  process.once('SIGINT', stopOnSignal).once('SIGTERM', stopOnSignal);
  const results = await inOrder(chosen(faults));
  const named = (result) => results.filter((each) => each.result === result).map(({ name }) => name);
  const [passed, failed, skipped] = EXITS.map((result) => named(result).length);
  if (values.report) await writeFile(values.report, JSON.stringify({ passed, failed, skipped, failures: named('failed') }));
  if (failed > 0) console.log(`\nfailed: ${named('failed').join(', ')}`);
  console.log(`\nfaults, seed ${values.seed}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  if (failed > 0) process.exitCode = 1;
}

await main();
