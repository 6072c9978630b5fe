// Delay from a write until queries show it: comments are sent to many projects at a constant rate (open loop). Measured inside the program (acknowledged by
// the log to included in the read models) and outside (response to the first query that shows it). With --servers it runs on both backends: there the web process is measured, and
// a separate process builds the read models. Usage: node infra/bench/visible.mjs [--rate 300] [--projects 32] [--seconds 20] [--rounds 1] [--servers [--server-rate 300]]
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { quiet } from '../faults/lib/read-models.mjs';
import { aProject, person } from '../faults/lib/studio.mjs';
import { ABOUT_SERVERS, backendsOf, median, quantile, runOn } from './lib/backends.mjs';

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '300' },
    projects: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '1' },
    servers: { type: 'boolean', default: false },
    'server-rate': { type: 'string' },
  },
});
const [projects, seconds, rounds] = [values.projects, values.seconds, values.rounds].map(Number);
/** Commands per second, by backend. */
const RATES = { embedded: Number(values.rate), servers: Number(values['server-rate'] ?? values.rate) };
/** One in this many commands is followed by a query. */
const LOOKED = 10;
const timing = pathToFileURL('infra/bench/lib/time-visible.mjs').href;

async function comment(owner, { projectId }, { times, looked }, isLooked) {
  const { status, body, ms } = await owner.call('POST', '/api/comments', {
    projectId,
    submission: { content: 'The doubles drag behind the beat, listen at the chorus.' },
  });
  times.push({ ms, isDone: status === 201 });
  if (status !== 201 || !isLooked) return;
  const startedAt = performance.now();
  for (let tries = 1; ; tries += 1) {
    const seen = await owner.call('GET', `/api/comments/${body.newComment._id}`);
    if (seen.status === 200 && JSON.stringify(seen.body).includes(body.newComment._id)) {
      looked.push({ ms: performance.now() - startedAt, tries });
      return;
    }
    if (tries > 100) throw new Error(`${body.newComment._id} is not visible: ${seen.status}`);
  }
}

/** Sends comments at a constant rate (open loop). @returns client-side measurements and the duration in seconds */
async function load(owner, places, rate) {
  const seen = { times: [], looked: [] };
  const running = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < rate * seconds; sent += 1) {
    const wait = startedAt + (sent * 1_000) / rate - performance.now();
    if (wait > 0) await pause(wait);
    running.push(comment(owner, places[sent % projects], seen, sent % LOOKED === 0));
  }
  await Promise.all(running);
  return { ...seen, lasted: (performance.now() - startedAt) / 1_000 };
}

async function measure(program, file, rate) {
  const owner = await person(program.url, 'Bench');
  const places = [];
  for (let index = 0; index < projects; index += 1) places.push(await aProject(owner));
  await quiet(program, 120_000);
  const { times, looked, lasted } = await load(owner, places, rate);
  await program.stop();
  const { appended, visible } = JSON.parse(await readFile(file, 'utf8'));
  const done = times.filter(({ isDone }) => isDone).map(({ ms }) => ms);
  return {
    figures: {
      'append acknowledged': appended.slice(-done.length),
      'acknowledged to visible (bar: p99 50)': visible.slice(-done.length),
      'command, to its response': done,
      'first query that shows it': looked.map(({ ms }) => ms),
    },
    sent: times.length,
    perSecond: times.length / lasted,
    failed: times.length - done.length,
    late: looked.filter(({ tries }) => tries > 1).length,
  };
}

const results = Object.fromEntries(backendsOf(values.servers).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const name of Object.keys(results)) {
    const file = join(tmpdir(), `roughmix-visible-${process.pid}.json`);
    results[name].push(
      await runOn(name, { web: { env: { VISIBLE_FILE: file }, nodeArgs: ['--import', timing] } }, (program) => measure(program, file, RATES[name])),
    );
    await rm(file);
  }
}

function rowOf(backend, what, ran) {
  const each = ran.map(({ figures }) => figures[what]);
  const of = (share) => each.map((numbers) => quantile(numbers, share));
  const at = (share) => median(of(share)).toFixed(1);
  const spread = rounds > 1 ? { 'p99 spread': `${Math.min(...of(0.99)).toFixed(1)} - ${Math.max(...of(0.99)).toFixed(1)}` } : {};
  return {
    backend,
    'per s': RATES[backend],
    what,
    count: each.flat().length,
    'p50 ms': at(0.5),
    'p90 ms': at(0.9),
    'p99 ms': at(0.99),
    'max ms': at(1),
    ...spread,
  };
}

console.table(Object.entries(results).flatMap(([backend, ran]) => Object.keys(ran[0].figures).map((what) => rowOf(backend, what, ran))));
for (const [backend, ran] of Object.entries(results)) {
  const total = (of) => ran.reduce((sum, each) => sum + each[of], 0);
  const speed = median(ran.map(({ perSecond }) => perSecond)).toFixed(0);
  console.log(
    `${backend}: open ${RATES[backend]}/s over ${projects} projects: ${speed}/s sent, ${total('failed')} of ${total('sent')} failed, ${total('late')} not visible to the first query`,
  );
}
if (values.servers) console.log(ABOUT_SERVERS);
