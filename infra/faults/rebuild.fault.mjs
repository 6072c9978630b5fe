// Promise: a rebuilt read model equals the live one, no reader sees a gap, and nothing is sent again
// Breaks: a rebuild of every read model during 200 commands a second
// Gate: backend/src/platform/projections/projection-rebuild.spec.ts "is served when it has caught up, equal to the old documents, which are then dropped"
// Gate: backend/src/platform/projections/projection-rebuild.spec.ts "serves the old documents while it runs"
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compareAll } from './lib/compare.mjs';
import { Ledger } from './lib/ledger.mjs';
import { startProgram } from './lib/program.mjs';
import { beginRebuild, compareReadModels, projectionsOf, stopQuietly } from './lib/read-models.mjs';
import { listen } from './lib/socket.mjs';
import { until } from './lib/studio.mjs';
import { Band } from './lib/work.mjs';

const RATE = 200;

/** Commands at a constant rate, independent of response times. */
async function commandsAtRate(band, random, ledger, signal) {
  const running = [];
  const begun = performance.now();
  for (let sent = 0; !signal.aborted; sent += 1) {
    const wait = begun + (sent * 1_000) / RATE - performance.now();
    if (wait > 0) await pause(wait);
    running.push(band.command(random, ledger));
  }
  await Promise.all(running);
  return { sent: running.length, seconds: (performance.now() - begun) / 1_000 };
}

/** Reads pages repeatedly: items must not disappear, and no read may be refused. */
async function readAgain({ projects }, signal, wrong) {
  const seen = new Map(projects.map(({ projectId }) => [projectId, { versions: 0, position: 0 }]));
  let reads = 0;
  while (!signal.aborted) {
    for (const { projectId, writers } of projects) {
      const { status, body } = await writers[0].call('GET', `/api/projects/${projectId}/visitor/${writers[0].uid}`);
      const before = seen.get(projectId);
      reads += 1;
      if (status !== 200) {
        wrong(`a reader of ${projectId} got ${status} during the rebuild`);
        continue;
      }
      const { project, versions, comments } = body.data;
      const position = Math.max(0, ...comments.map((comment) => comment.position ?? 0), project.position ?? 0);
      if (versions.length < before.versions) wrong(`project ${projectId} showed ${before.versions} versions and then ${versions.length}`);
      if (position < before.position && comments.length === 0) wrong(`the comments of ${projectId} were gone during the rebuild`);
      seen.set(projectId, { versions: versions.length, position });
    }
  }
  return reads;
}

/** Checks that every change was pushed once. */
function comesOnce(listeners, wrong) {
  let received = 0;
  for (const [projectId, listener] of listeners) {
    const seen = new Set();
    for (const { channel, body } of listener.pushes(projectId)) {
      const key = `${channel} ${JSON.stringify(body)}`;
      if (seen.has(key)) wrong(`a message was sent twice: ${key.slice(0, 200)}`);
      seen.add(key);
      received += 1;
    }
  }
  return received;
}

const emails = (folder) => (existsSync(join(folder, 'outbox')) ? readdirSync(join(folder, 'outbox')).length : 0);

export const fault = {
  name: 'rebuild',
  async run({ random, short, folder, print, wrong, count }) {
    const data = join(folder, 'data');
    const program = await startProgram({ folder: data });
    const ledger = new Ledger();
    const band = await Band.form(program, { size: short ? 3 : 6 });
    const listeners = new Map();
    for (const { projectId, writers } of band.projects) listeners.set(projectId, await listen(writers[0]));
    for (const [projectId, listener] of listeners) await listener.join(projectId);
    const emailsBefore = emails(data);
    const stop = new AbortController();
    const working = commandsAtRate(band, random, ledger, stop.signal);
    const reading = readAgain(band, stop.signal, wrong);
    await pause(short ? 500 : 5_000);
    for (let round = 1; round <= (short ? 1 : 3); round += 1) count('rebuilds', await rebuildAll(program));
    await pause(500);
    stop.abort();
    const { sent, seconds } = await working;
    const reads = await reading;
    print(`${sent} commands in ${seconds.toFixed(1)} s, ${ledger.acknowledged.size} acknowledged, ${reads} pages read meanwhile`);
    await compareAll({ folder: data, ledger, people: band.people, wrong, count: () => undefined });
    count('messages received', comesOnce(listeners, wrong));
    for (const listener of listeners.values()) listener.close();
    await stopQuietly(program, wrong);
    if (emails(data) !== emailsBefore) wrong(`${emails(data) - emailsBefore} e-mails were written by the rebuild`);
    count('documents compared', await compareReadModels({ folder: data, scratch: join(folder, 'rebuilt'), wrong }));
    count('pages read meanwhile', reads);
  },
};

/** Rebuilds all read models at once and waits until all are served. */
async function rebuildAll(program) {
  const wanted = new Map();
  for (const { projector } of await projectionsOf(program)) wanted.set(projector, (await beginRebuild(program, projector)).generation);
  const areServed = async () => (await projectionsOf(program)).every(({ projector, generation }) => generation >= wanted.get(projector));
  await until('all generations are served', areServed, 60_000);
  return wanted.size;
}
