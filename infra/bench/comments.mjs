// POST /api/comments end to end (session, validation, access, append, projection, response): 32 connections on 32 projects, or on one.
// With --rate, requests are sent at a constant rate (open loop), so that stalls show; with --servers it runs on both backends.
// Usage: node infra/bench/comments.mjs [--seconds 10] [--connections 32] [--rate 0] [--one] [--servers]
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { aProject, person, reactorsDone } from '../faults/lib/studio.mjs';
import { ABOUT_SERVERS, backendsOf, runOn } from './lib/backends.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '32' },
    rate: { type: 'string', default: '0' },
    one: { type: 'boolean', default: false },
    servers: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const rate = Number(values.rate);

/** @returns the row of one backend */
async function measure(backend, { url }) {
  const who = await person(url, 'Ben');
  const projects = [];
  for (let at = 0; at < (values.one ? 1 : connections); at += 1) projects.push((await aProject(who)).projectId);
  // Wait for audio analysis, which would use the CPU.
  await reactorsDone(who);
  return rowOf(backend, rate > 0 ? await open(who, projects) : await closed(who, projects));
}

const rows = [];
for (const backend of backendsOf(values.servers)) rows.push(await runOn(backend, {}, (program) => measure(backend, program)));
console.table(rows);
if (values.servers) console.log(ABOUT_SERVERS);

async function comment(who, projectId, times) {
  const { status, ms } = await who.call('POST', '/api/comments', {
    projectId,
    submission: { content: 'The doubles drag behind the beat, listen at the chorus.' },
  });
  times.push({ ms, ok: status === 201 });
}

async function closed(who, projects) {
  const times = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async (_, at) => {
      while (performance.now() < end) await comment(who, projects[at % projects.length], times);
    }),
  );
  return times;
}

async function open(who, projects) {
  const times = [];
  const running = [];
  const startedAt = performance.now();
  for (let at = 0; at < rate * seconds; at += 1) {
    const wait = startedAt + (at * 1000) / rate - performance.now();
    if (wait > 0) await pause(wait);
    running.push(comment(who, projects[at % projects.length], times));
  }
  await Promise.all(running);
  return times;
}

function rowOf(backend, times) {
  const sorted = times
    .filter(({ ok }) => ok)
    .map(({ ms }) => ms)
    .toSorted((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1);
  return {
    backend,
    mode: rate > 0 ? `open ${rate}/s` : 'closed',
    projects: values.one ? 1 : connections,
    connections,
    answered: sorted.length,
    failed: times.length - sorted.length,
    'per second': Math.round(sorted.length / seconds),
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
  };
}
