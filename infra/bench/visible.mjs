// How soon what was written is seen: an open generator sends comments to many projects at a constant rate. Measured inside the program (acknowledged by
// the log to held by the read models) and outside (the answer to a query that shows it). Usage: node infra/bench/visible.mjs [--rate 300] [--projects 32] [--seconds 20]
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startProgram } from '../faults/lib/program.mjs';
import { quiet } from '../faults/lib/read-models.mjs';
import { aProject, person } from '../faults/lib/studio.mjs';

const { values } = parseArgs({
  options: { rate: { type: 'string', default: '300' }, projects: { type: 'string', default: '32' }, seconds: { type: 'string', default: '20' } },
});
const [rate, projects, seconds] = [values.rate, values.projects, values.seconds].map(Number);
/** One command of so many is looked for by a query. */
const LOOKED = 10;

const folder = await mkdtemp(join(tmpdir(), 'roughmix-visible-'));
const file = join(folder, 'visible.json');
const timing = pathToFileURL('infra/bench/lib/time-visible.mjs').href;
const program = await startProgram({ folder: join(folder, 'data'), nodeArgs: ['--import', timing], env: { VISIBLE_FILE: file } });

async function comment(owner, { projectId }, times, isLooked) {
  const { status, body, ms } = await owner.call('POST', '/api/comments', {
    projectId,
    submission: { content: 'The doubles drag behind the beat, listen at the chorus.' },
  });
  times.push({ ms, isDone: status === 201 });
  if (status !== 201 || !isLooked) return;
  const begun = performance.now();
  for (let tries = 1; ; tries += 1) {
    const seen = await owner.call('GET', `/api/comments/${body.newComment._id}`);
    if (seen.status === 200 && JSON.stringify(seen.body).includes(body.newComment._id)) {
      looked.push({ ms: performance.now() - begun, tries });
      return;
    }
    if (tries > 100) throw new Error(`${body.newComment._id} is not seen: ${seen.status}`);
  }
}

function rowOf(what, numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return { what, count: sorted.length, 'p50 ms': at(0.5), 'p90 ms': at(0.9), 'p99 ms': at(0.99), 'max ms': at(1) };
}

const looked = [];
try {
  const owner = await person(program.url, 'Bench');
  const places = [];
  for (let nth = 0; nth < projects; nth += 1) places.push(await aProject(owner));
  await quiet(program, 120_000);
  const times = [];
  const running = [];
  const begun = performance.now();
  for (let sent = 0; sent < rate * seconds; sent += 1) {
    const wait = begun + (sent * 1_000) / rate - performance.now();
    if (wait > 0) await pause(wait);
    running.push(comment(owner, places[sent % projects], times, sent % LOOKED === 0));
  }
  await Promise.all(running);
  const lasted = (performance.now() - begun) / 1_000;
  await program.stop();
  const { appended, visible } = JSON.parse(await readFile(file, 'utf8'));
  const commands = times.filter(({ isDone }) => isDone);
  console.table([
    rowOf('append acknowledged', appended.slice(-commands.length)),
    rowOf('acknowledged to visible (bar: p99 50)', visible.slice(-commands.length)),
    rowOf(
      'whole command, to its answer',
      commands.map(({ ms }) => ms),
    ),
    rowOf(
      'query after the answer that shows it',
      looked.map(({ ms }) => ms),
    ),
  ]);
  const late = looked.filter(({ tries }) => tries > 1).length;
  console.log(
    `open ${rate}/s over ${projects} projects: ${(times.length / lasted).toFixed(0)}/s sent, ${times.length - commands.length} failed, ${late} not seen by the first query`,
  );
} finally {
  if (program.isAlive) await program.kill();
  await rm(folder, { recursive: true, force: true });
}
