// npm test and its parts: runs all stages of a plan, one after the other or some side by side, and ends with `N passed, N failed`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatCounts, totalOf } from './counts.mjs';
import { childrenSeconds } from './stage-costs.mjs';
import { plans } from './stages.mjs';

process.chdir(fileURLToPath(new URL('../../', import.meta.url)));

const plan = plans[process.argv[2] ?? 'test'];
if (!plan) {
  console.error(`usage: node infra/test/run.mjs ${Object.keys(plans).join('|')}`);
  process.exit(2);
}

/** The processor time since an earlier reading, where the system tells. */
function processorTime(before) {
  const after = childrenSeconds();
  return before === null || after === null ? '' : `, ${(after - before).toFixed(0)} s of processor time`;
}

/** The duration of a stage, and whether it exceeded its budget or limit. */
function duration({ timedOut }, ms, { budgetMs, limitMs }) {
  const took = `${(ms / 1000).toFixed(1)} s`;
  if (timedOut) return `${took}, ended after its limit of ${limitMs / 60_000} min`;
  return ms > budgetMs ? `${took}, over its budget of ${budgetMs / 60_000} min` : took;
}

const folder = mkdtempSync(join(tmpdir(), 'roughmix-test-'));

/** Runs one stage. */
async function runStage(stage, isBeside) {
  const { name, limitMs, run } = stage;
  console.log(`\n== ${name}`);
  const used = childrenSeconds();
  const started = performance.now();
  const result = await run({ name, limitMs, folder });
  const ms = performance.now() - started;
  const note = result.isRepeat ? ', counted once' : '';
  // Side by side, the time of each is not known.
  const costs = isBeside ? '' : processorTime(used);
  const line = `${name}: ${formatCounts(result)}${note} (${duration(result, ms, stage)}${costs})`;
  console.log(`== ${line}`);
  return { name, result, line };
}

const results = [];
for (const step of plan) {
  if (process.exitCode) break;
  const stages = [step].flat();
  const used = childrenSeconds();
  results.push(...(await Promise.all(stages.map((stage) => runStage(stage, stages.length > 1)))));
  if (stages.length > 1) console.log(`== ${stages.map(({ name }) => name).join(' and ')} side by side${processorTime(used)}`);
}
rmSync(folder, { recursive: true });

const total = totalOf(results.map(({ result }) => result));
console.log(`\n${results.map(({ line }) => line).join('\n')}\n\n${formatCounts(total)}`);
if (total.failed > 0) process.exitCode ||= 1;
