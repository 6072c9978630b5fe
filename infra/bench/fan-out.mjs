// Latency of POST /api/comments while a projector fans out events to 10,000 documents each, compared with the same open load without them, in turns.
// Usage: node infra/bench/fan-out.mjs [--rate 40] [--seconds 5] [--rounds 3] [--documents 10000] [--every 1000]   (`every`: milliseconds between two such events)
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { projectionsOf, quiet } from '../faults/lib/read-models.mjs';
import { aProject, person, reactorsDone } from '../faults/lib/studio.mjs';
import { median, quantile, runOn } from './lib/backends.mjs';

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    documents: { type: 'string', default: '10000' },
    every: { type: 'string', default: '1000' },
  },
});
const [rate, seconds, rounds, every] = [values.rate, values.seconds, values.rounds, values.every].map(Number);
const preload = pathToFileURL('infra/bench/lib/fan-out-projector.mjs').href;
const PROJECTS = 8;

/** Sends comments at a constant rate (open loop). @returns latencies and the number of failures */
async function comments(owner, projects) {
  const running = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < rate * seconds; sent += 1) {
    const wait = startedAt + (sent * 1_000) / rate - performance.now();
    if (wait > 0) await pause(wait);
    const { projectId } = projects[sent % projects.length];
    running.push(owner.call('POST', '/api/comments', { projectId, submission: { content: 'The doubles drag behind the beat, listen at the chorus.' } }));
  }
  const answers = await Promise.all(running);
  return { times: answers.filter(({ status }) => status === 201).map(({ ms }) => ms), failed: answers.filter(({ status }) => status !== 201).length };
}

/** Edits a description repeatedly until the signal aborts. @returns the number of edits */
async function fanOuts(owner, { projectId }, signal) {
  let sent = 0;
  for (; !signal.aborted; sent += 1) {
    const { status } = await owner.call('PUT', `/api/projects/${projectId}`, { projectId, submission: { description: `fan out ${sent}` } });
    if (status !== 200) throw new Error(`editing the description returned ${status}`);
    await pause(every, undefined, { signal }).catch(() => undefined);
  }
  return sent;
}

async function beside(owner, [place, ...projects]) {
  const stop = new AbortController();
  const fanning = fanOuts(owner, place, stop.signal);
  const measured = await comments(owner, projects);
  stop.abort();
  return { ...measured, fanOuts: await fanning };
}

const lagOf = async (program) => (await projectionsOf(program)).find(({ projector }) => projector === 'fan-out').lag;

const results = await runOn('embedded', { web: { env: { FAN_OUT: values.documents }, nodeArgs: ['--import', preload] } }, async (program) => {
  const owner = await person(program.url, 'Fanny');
  const projects = [];
  for (let index = 0; index <= PROJECTS; index += 1) projects.push(await aProject(owner));
  await reactorsDone(owner);
  const rows = [];
  for (let round = 0; round < rounds; round += 1) {
    await quiet(program, 120_000);
    const without = await comments(owner, projects.slice(1));
    const during = await beside(owner, projects);
    rows.push({ without, during, lag: await lagOf(program) });
  }
  await quiet(program, 300_000);
  return rows;
});

const figures = (of) => (share) => results.map((each) => quantile(each[of].times, share));
const row = (of, what) => ({
  comments: what,
  answered: results.reduce((sum, each) => sum + each[of].times.length, 0),
  failed: results.reduce((sum, each) => sum + each[of].failed, 0),
  'p50 ms': median(figures(of)(0.5)).toFixed(1),
  'p90 ms': median(figures(of)(0.9)).toFixed(1),
  'p99 ms': median(figures(of)(0.99)).toFixed(1),
});
console.table([row('without', 'alone'), row('during', `beside ${values.documents} documents each ${every} ms`)]);
const ratio = (share) => median(results.map(({ without, during }) => quantile(during.times, share) / quantile(without.times, share))).toFixed(2);
console.log(
  `${rounds} rounds, open ${rate}/s: ratio of medians ${ratio(0.5)}, of p90 ${ratio(0.9)}; ${results.map(({ during }) => during.fanOuts).join(', ')} fan-outs, lag at the end of each ${results.map(({ lag }) => lag).join(', ')}`,
);
