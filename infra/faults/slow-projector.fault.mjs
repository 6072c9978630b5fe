// Promise: a lagging projector affects neither memory, nor write rate, nor answers that do not depend on it
// Breaks: a projector that needs 40 ms per event at 40 events a second
// Gate: backend/src/platform/http/read-your-writes.spec.ts "a command is answered once the read models that its answer uses hold its write, however far others lag"
// Gate: backend/src/platform/projections/projection-lanes.spec.ts "a projector far behind the others continues with everything that it missed"
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { startProgram } from './lib/program.mjs';
import { loading, projectionsOf, quiet, stopQuietly } from './lib/read-models.mjs';
import { aProject, person } from './lib/studio.mjs';

const RATE = 40;
/** Longer than the interval between events, so the lag grows. */
const SLOW_MS = 40;
/** More memory growth than this is a leak. */
const GROWTH = 96 * 2 ** 20;

const residentBytes = ({ pid }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1_024;

function headOf(folder) {
  const log = new DatabaseSync(join(folder, 'log.db'), { readOnly: true, timeout: 5_000 });
  try {
    return log.prepare('SELECT max(position) AS position FROM events').get().position;
  } finally {
    log.close();
  }
}

/** The largest lag of any projector until the signal aborts. */
async function largestLag(program, signal) {
  let lag = 0;
  while (!signal.aborted) {
    for (const each of await projectionsOf(program)) lag = Math.max(lag, each.lag);
    await pause(250);
  }
  return lag;
}

/** Sends comments at RATE for some seconds and measures the log's write rate and other answers. */
async function writes(program, folder, { owner, projects }, seconds) {
  const before = headOf(folder);
  const begun = performance.now();
  const running = [];
  // Not awaited, because slow answers would slow down the load.
  const sending = new AbortController();
  const watching = largestLag(program, sending.signal);
  for (let sent = 0; sent < RATE * seconds; sent += 1) {
    const wait = begun + (sent * 1_000) / RATE - performance.now();
    if (wait > 0) await pause(wait);
    const { projectId } = projects[sent % projects.length];
    running.push(owner.call('POST', '/api/comments', { projectId, submission: { content: `line ${sent}` } }));
  }
  const perSecond = (headOf(folder) - before) / ((performance.now() - begun) / 1_000);
  sending.abort();
  const [lag, answers] = await Promise.all([watching, Promise.all(running)]);
  return { perSecond, lag, sent: running.length, statuses: [...new Set(answers.map(({ status }) => status))], written: headOf(folder) - before };
}

async function studio(program) {
  const owner = await person(program.url, 'Sloane');
  const projects = [];
  for (let nth = 0; nth < 4; nth += 1) projects.push(await aProject(owner));
  await quiet(program);
  return { owner, projects };
}

/** While comments lag, commands whose answers do not show them must still succeed. */
async function shownBeside({ program, owner, place: { projectId }, wrong }) {
  const { lag } = (await projectionsOf(program)).find(({ projector }) => projector === 'comments');
  const { status, body } = await owner.call('PUT', `/api/projects/${projectId}`, { projectId, submission: { description: 'beside slow comments' } });
  if (lag > 0 && body.updatedProject?.description !== 'beside slow comments') wrong(`with comments ${lag} events behind, a description was answered ${status}`);
}

export const fault = {
  name: 'slow-projector',
  async run({ folder, print, wrong, count }) {
    const seconds = 10;
    let program = await startProgram({ folder });
    const band = await studio(program);
    const usual = await writes(program, folder, band, seconds);
    await stopQuietly(program, wrong);
    program = await startProgram({ folder, nodeArgs: loading('slow-projector.mjs'), env: { SLOW_MS: String(SLOW_MS) } });
    band.owner = band.owner.at(program.url);
    await writes(program, folder, band, 1);
    const memoryBefore = residentBytes(program);
    const slow = await writes(program, folder, band, seconds);
    const growth = residentBytes(program) - memoryBefore;
    const ratio = slow.perSecond / usual.perSecond;
    print(`${usual.perSecond.toFixed(1)} events/s before, ${slow.perSecond.toFixed(1)} with a slow projector: ratio ${ratio.toFixed(2)}`);
    print(`lag up to ${slow.lag} events, memory ${(growth / 2 ** 20).toFixed(0)} MB more, answers ${slow.statuses.join(' ')}`);
    if (slow.lag < 20) wrong(`the projector should lag, but its lag was ${slow.lag}`);
    if (ratio < 0.5) wrong(`the write rate dropped to ${ratio.toFixed(2)} of normal while a projector was slow`);
    if (growth > GROWTH) wrong(`memory grew by ${(growth / 2 ** 20).toFixed(0)} MB in ${seconds} s`);
    if (slow.written !== slow.sent) wrong(`${slow.sent} commands were sent, the log has ${slow.written} events of them`);
    if (slow.statuses.some((status) => status !== 201 && status !== 503)) wrong(`answers were ${slow.statuses.join(' ')}`);
    await shownBeside({ program, owner: band.owner, place: band.projects[0], wrong });
    await quiet(program, 120_000);
    await stopQuietly(program, wrong);
    count('commands sent', usual.sent + slow.sent);
  },
};
