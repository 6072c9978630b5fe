// Promise: another process takes over within 10 s, and nothing is repeated or skipped
// Breaks: projector and reactor processes are killed, frozen beyond their lease, and stopped
// Gate: backend/src/platform/leases/vault-lease.spec.ts "a holder that cannot renew stops before another takes over with a higher fence"
// Gate: backend/src/platform/projections/projector-role.spec.ts "when the building process is cut off, another takes over without a gap or a duplicate, and the first becomes a follower"
// Gate: backend/src/platform/reactors/reactor-role.spec.ts "one process reacts; when it ends, another continues after the last reaction, and no event is reacted to twice"
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './lib/client.mjs';
import { Ledger } from './lib/ledger.mjs';
import { ADMIN_KEY, startProgram, startPrograms } from './lib/program.mjs';
import { beginRebuild, projectionsOf, quiet } from './lib/read-models.mjs';
import { startServers } from './lib/servers.mjs';
import { readServersLog, wrongInServersLog } from './lib/servers-log.mjs';
import { compareDocuments, servedDocuments } from './lib/stored-documents.mjs';
import { aProject, pageOf, person, trialUpload, until, untilReady } from './lib/studio.mjs';

/** Maximum time until another process takes over after a kill. */
const TAKEN_OVER_MS = 10_000;
/** Longer than the lease timeout plus a takeover. */
const FROZEN_MS = 8_000;
const AGAIN_MS = 200;
const ROLES = ['web', 'web', 'projector', 'projector', 'reactor', 'reactor'];
const REACTION = 'analyse-version-when-added';

/** Six processes on one set of servers. */
class Cluster {
  constructor(programs, options) {
    this.programs = programs;
    this.options = options;
  }

  get webs() {
    return this.programs.slice(0, 2);
  }

  /** The holder of a role's lease: the process and the lease's number. */
  async holderOf(work) {
    const path = work === 'projector' ? '/projections' : '/reactors';
    const { status, body } = await new Client(this.webs[1].url).call('GET', `/api/admin/${ADMIN_KEY}${path}`);
    const heldBy = status === 200 ? body.heldBy : null;
    const pid = Number(heldBy?.holder.split(':').at(-1));
    return heldBy === null ? null : { fence: heldBy.fence, program: this.programs.find((each) => each.pid === pid) };
  }

  /** The same, once the holder is alive. */
  async holding(work) {
    let holder = null;
    const isHeld = async () => (holder = await this.holderOf(work))?.program?.isAlive === true;
    await until(`the lease of the ${work} is held`, isHeld);
    return holder;
  }

  /** Waits for a new lease with a live holder. @returns the milliseconds it took */
  async takenOver(work, before) {
    const since = performance.now();
    await until(`another ${work} works`, async () => ((await this.holderOf(work))?.fence ?? 0) > before.fence, TAKEN_OVER_MS + 5_000);
    return performance.now() - since;
  }

  /** Restarts killed and stopped processes. */
  async fill() {
    for (const [at, program] of this.programs.entries()) {
      if (program.isAlive) continue;
      const { folder, env } = this.options;
      this.programs[at] = await startProgram({ folder: `${folder}/program-${at + 1}`, env: { ...env, ROLES: ROLES[at] } });
    }
  }
}

/** Retries a command under one key until it is acknowledged. A command that is deferred because read models lag is still executed. */
async function insist(ledger, who, command, { signal, count }) {
  for (;;) {
    const answer = await ledger.send(who, command);
    if (answer.status !== 503 || signal.aborted) return answer;
    count('commands retried');
    await pause(AGAIN_MS);
  }
}

/** A writer that reads its own writes on both servers. */
async function writes({ at, projectId, both, ledger, signal, wrong, count }) {
  for (let round = 0; !signal.aborted; round += 1) {
    const [writer, other] = round % 2 === 0 ? both : both.toReversed();
    const command = { path: '/api/comments', key: crypto.randomUUID(), body: { projectId, submission: { content: `Take ${at} ${round}` } } };
    const { status, body } = await insist(ledger, writer, command, { signal, count });
    if (status === 503) return;
    if (status !== 201) wrong(`a comment was answered ${status} ${body?.code ?? ''}`);
    for (const reader of [writer, other]) {
      const { comments } = await pageOf(reader, projectId);
      if (!comments.some(({ _id }) => _id === body.newComment?._id)) wrong('an acknowledged comment is missing on a page requested afterwards');
    }
    count('writes read on both servers');
    await pause(50);
  }
}

/** Adds versions, each to be analysed once. */
async function uploads({ projectId, both, ledger, signal, wrong, count }) {
  for (let round = 0; !signal.aborted; round += 1) {
    const who = both[round % 2];
    const uploadId = await trialUpload(who, projectId);
    const command = { path: '/api/media', key: crypto.randomUUID(), body: { submission: { projectId, uploadId, tinySummary: 'Louder', updateType: 'minor' } } };
    const { status, body } = await insist(ledger, who, command, { signal, count });
    if (status !== 201 && status !== 503) wrong(`a version was answered ${status} ${body?.code ?? ''}`);
    await pause(400);
  }
}

/** Faults of a lease holder. Each returns a function that undoes it. */
const FAILURES = {
  killed: async (program) => {
    await program.kill();
    return () => undefined;
  },
  frozen: async (program) => {
    program.signal('SIGSTOP');
    return async (since) => {
      await pause(Math.max(0, FROZEN_MS - (performance.now() - since)));
      program.signal('SIGCONT');
    };
  },
  stopped: async (program) => {
    const { code } = await program.stop();
    if (code !== 0) throw new Error(`exit code ${code} after SIGTERM`);
    return () => undefined;
  },
};

async function strike(troupe, blow, works, { print, wrong, count }) {
  await Promise.all(
    works.map(async (work) => {
      const before = await troupe.holding(work);
      const since = performance.now();
      const [back, ms] = await Promise.all([FAILURES[blow](before.program), troupe.takenOver(work, before)]);
      if (ms > TAKEN_OVER_MS) wrong(`the ${work} was ${blow}: another took over after ${Math.round(ms)} ms`);
      print(`the ${work} was ${blow}: another took over after ${(ms / 1_000).toFixed(1)} s`);
      count(`times a holder was ${blow}`);
      await back(since);
    }),
  );
}

/** Every version must be analysed once, according to the causation ids. */
function analysedOnce(events, { wrong, count }) {
  const answers = new Map();
  for (const { type, meta } of events) {
    if (type !== 'VersionAnalyzed' && type !== 'VersionRejected') continue;
    answers.set(meta.commandId, (answers.get(meta.commandId) ?? 0) + 1);
  }
  for (const { id, type } of events) {
    if (type !== 'VersionAdded') continue;
    const times = answers.get(`${REACTION}-${id}`) ?? 0;
    if (times !== 1) wrong(`a version was analysed ${times} times`);
    count('versions analysed once');
  }
}

/** The current read models, and the same rebuilt from the log. */
async function rebuilt(web, url) {
  const before = await projectionsOf(web);
  for (const { projector } of before) await beginRebuild(web, projector);
  const isDone = (now) => now.every(({ generation, rebuild, lag }, at) => rebuild === null && lag === 0 && generation > before[at].generation);
  await until('everything is rebuilt', async () => isDone(await projectionsOf(web)));
  return servedDocuments(url);
}

export const fault = {
  name: 'takeover',
  alone: true,
  needs: 'servers',
  async run({ short, folder, print, wrong, count }) {
    const servers = await startServers({ folder: join(folder, 'servers'), only: ['eventstore', 'mongodb', 's3'] });
    const env = { ...servers.env, MONGO_URL: `${servers.env.MONGO_URL}takeover`, PUBLIC_URL: 'http://roughmix.localhost' };
    const troupe = new Cluster(await startPrograms({ folder, roles: ROLES, env }), { folder, env });
    for (const web of troupe.webs) await untilReady(web);
    const people = await Promise.all(['Ana', 'Bob', 'Cal'].map((name, at) => person(troupe.webs[at % 2].url, name)));
    const ledger = new Ledger();
    const over = new AbortController();
    const tools = { ledger, signal: over.signal, wrong, count };
    const projects = await Promise.all(people.map((who) => aProject(who)));
    const places = people.map((who, at) => ({ at, projectId: projects[at].projectId, both: troupe.webs.map(({ url }) => who.at(url)) }));
    const work = [...places.map((place) => writes({ ...tools, ...place })), uploads({ ...tools, ...places[0] })];
    if (short)
      await Promise.all([strike(troupe, 'frozen', ['projector'], { print, wrong, count }), strike(troupe, 'killed', ['reactor'], { print, wrong, count })]);
    for (const blow of short ? [] : ['killed', 'frozen', 'stopped', 'frozen']) {
      await strike(troupe, blow, ['projector', 'reactor'], { print, wrong, count });
      await troupe.fill();
    }
    over.abort();
    await Promise.all(work);
    await quiet(troupe.webs[0]);
    const events = await readServersLog(env);
    for (const sentence of wrongInServersLog(events, ledger)) wrong(sentence);
    count('commands acknowledged', ledger.acknowledged.size);
    analysedOnce(events, { wrong, count });
    const stood = await servedDocuments(env.MONGO_URL);
    count('documents compared', compareDocuments(stood, await rebuilt(troupe.webs[0], env.MONGO_URL), wrong));
    for (const program of troupe.programs) if (program.isAlive) await program.stop();
    await servers.stop();
  },
};
