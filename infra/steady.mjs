// node infra/steady.mjs [--times 3] [--busy 2] [--no-build] -- journeys live contracts faults
// Runs parts of the gate several times beside busy loops, and counts what failed: nothing may fail because the machine is slow.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keepBusy } from './busy-loops.mjs';
import { failuresIn, PARTS, partsIn, report } from './steady-report.mjs';
import { plans, runJest } from './test/stages.mjs';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));

const stageOf = (name) => plans.test.flat().find((stage) => stage.name === name);
/** Limits are those of the gate; twice as long beside busy loops. */
const SLOWER = 2;

/** The suites of the socket, which the gate runs among the other specs. */
const live = {
  name: 'live',
  limitMs: stageOf('specs').limitMs,
  run: (stage) => runJest(['-w', '3', '--selectProjects', 'node', '--testPathPatterns', '\\.live\\.spec\\.ts$'], stage),
};
const stages = PARTS.map((name) => (name === 'live' ? live : stageOf(name)));

async function runOnce({ name, limitMs, run }) {
  const folder = mkdtempSync(join(tmpdir(), 'roughmix-steady-'));
  const started = performance.now();
  const counts = await run({ name, limitMs: limitMs * SLOWER, folder });
  const seconds = (performance.now() - started) / 1_000;
  const failures = failuresIn(folder, name);
  rmSync(folder, { recursive: true });
  return { name, counts, seconds, failures };
}

async function build() {
  const { failed } = await stageOf('build').run(stageOf('build'));
  if (failed > 0) process.exitCode ||= 1;
}

/** Runs all parts in turn, `times` times, until a signal. */
async function runAll({ parts, times, busy }) {
  const results = [];
  const loops = keepBusy(busy);
  const interrupted = () => {
    loops.end();
    process.exitCode = 130;
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    for (let time = 1; time <= times; time += 1) {
      for (const stage of stages.filter(({ name }) => parts.includes(name))) {
        if (process.exitCode) return results;
        console.log(`\n== ${stage.name}, run ${time} of ${times}`);
        const result = await runOnce(stage);
        // A run that a signal stopped says nothing.
        if (!process.exitCode) results.push(result);
      }
    }
    return results;
  } finally {
    loops.end();
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '3' }, busy: { type: 'string', default: '2' }, 'no-build': { type: 'boolean', default: false } },
});
const parts = partsIn(positionals);
if (!values['no-build']) await build();
const results = await runAll({ parts, times: Number(values.times), busy: Number(values.busy) });
console.log(`\n${report(results).join('\n')}`);
if (results.some(({ counts }) => counts.failed > 0)) process.exitCode ||= 1;
