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

/** Another process works within this time after the one that did was killed. */
const TAKEN_OVER_MS = 10_000;
/** Longer than a lease lasts without its holder, and than another needs to take it. */
const FROZEN_MS = 8_000;
const AGAIN_MS = 200;
const ROLES = ['web', 'web', 'projector', 'projector', 'reactor', 'reactor'];
const REACTION = 'analyse-version-when-added';

/** The six processes on one set of servers. */
class Troupe {
  constructor(programs, options) {
    this.programs = programs;
    this.options = options;
  }

  get webs() {
    return this.programs.slice(0, 2);
  }

  /** Who does a work, as is written down: the process, and the number of its term. */
  async holderOf(work) {
    const path = work === 'projector' ? '/projections' : '/reactors';
    const { status, body } = await new Client(this.webs[1].url).call('GET', `/api/admin/${ADMIN_KEY}${path}`);
    const heldBy = status === 200 ? body.heldBy : null;
    const pid = Number(heldBy?.holder.split(':').at(-1));
    return heldBy === null ? null : { fence: heldBy.fence, program: this.programs.find((each) => each.pid === pid) };
  }

  /** The same, once somebody who is alive does it. */
  async holding(work) {
    let holder = null;
    const isHeld = async () => (holder = await this.holderOf(work))?.program?.isAlive === true;
    await until(`somebody does the work of the ${work}`, isHeld);
    return holder;
  }

  /** Waits until a work has another term, which somebody holds who is alive. @returns how long that took, in milliseconds */
  async takenOver(work, before) {
    const since = performance.now();
    await until(`another ${work} works`, async () => ((await this.holderOf(work))?.fence ?? 0) > before.fence, TAKEN_OVER_MS + 5_000);
    return performance.now() - since;
  }

  /** Starts again what was killed or stopped. */
  async fill() {
    for (const [at, program] of this.programs.entries()) {
      if (program.isAlive) continue;
      const { folder, env } = this.options;
      this.programs[at] = await startProgram({ folder: `${folder}/program-${at + 1}`, env: { ...env, ROLES: ROLES[at] } });
    }
  }
}

/** Sends a command until it is acknowledged, under one key: what took too long to be shown is told as that, and stands. */
async function insist(ledger, who, command, { signal, count }) {
  for (;;) {
    const answer = await ledger.send(who, command);
    if (answer.status !== 503 || signal.aborted) return answer;
    count('commands sent again');
    await pause(AGAIN_MS);
  }
}

/** A writer who reads what they wrote on both servers, again and again. */
async function writes({ at, projectId, both, ledger, signal, wrong, count }) {
  for (let round = 0; !signal.aborted; round += 1) {
    const [writer, other] = round % 2 === 0 ? both : both.toReversed();
    const command = { path: '/api/comments', key: crypto.randomUUID(), body: { projectId, submission: { content: `Take ${at} ${round}` } } };
    const { status, body } = await insist(ledger, writer, command, { signal, count });
    if (status === 503) return;
    if (status !== 201) wrong(`a comment was answered ${status} ${body?.code ?? ''}`);
    for (const reader of [writer, other]) {
      const { comments } = await pageOf(reader, projectId);
      if (!comments.some(({ _id }) => _id === body.newComment?._id)) wrong('what was acknowledged is not on a page that was asked for afterwards');
    }
    count('writes read on both servers');
    await pause(50);
  }
}

/** Somebody who adds versions, each to be analysed once. */
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

/** What befalls a holder; answers how it is brought back to the others. */
const BLOWS = {
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
    if (code !== 0) throw new Error(`SIGTERM ended it with ${code}`);
    return () => undefined;
  },
};

async function strike(troupe, blow, works, { say, wrong, count }) {
  await Promise.all(
    works.map(async (work) => {
      const before = await troupe.holding(work);
      const since = performance.now();
      const [back, ms] = await Promise.all([BLOWS[blow](before.program), troupe.takenOver(work, before)]);
      if (ms > TAKEN_OVER_MS) wrong(`the ${work} was ${blow}: another began after ${Math.round(ms)} ms`);
      say(`the ${work} was ${blow}: another works after ${(ms / 1_000).toFixed(1)} s`);
      count(`times a holder was ${blow}`);
      await back(since);
    }),
  );
}

/** Every version was analysed once: what analyses says which event it answers. */
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

/** The read models as they stand, and as the log alone gives them. */
async function rebuilt(web, url) {
  const before = await projectionsOf(web);
  for (const { projector } of before) await beginRebuild(web, projector);
  const isDone = (now) => now.every(({ generation, rebuild, lag }, at) => rebuild === null && lag === 0 && generation > before[at].generation);
  await until('everything is built anew', async () => isDone(await projectionsOf(web)));
  return servedDocuments(url);
}

export const fault = {
  name: 'takeover',
  about:
    'who builds read models and who reacts is killed, frozen beyond the lease and let go on, stopped: another takes over within 10 s, nothing twice or left out',
  short: true,
  alone: true,
  needs: 'servers',
  async run({ short, folder, say, wrong, count }) {
    const servers = await startServers({ folder: join(folder, 'servers'), only: ['eventstore', 'mongodb', 's3'] });
    const env = { ...servers.env, MONGO_URL: `${servers.env.MONGO_URL}takeover`, PUBLIC_URL: 'http://roughmix.localhost' };
    const troupe = new Troupe(await startPrograms({ folder, roles: ROLES, env }), { folder, env });
    for (const web of troupe.webs) await untilReady(web);
    const people = await Promise.all(['Ana', 'Bob', 'Cal'].map((name, at) => person(troupe.webs[at % 2].url, name)));
    const ledger = new Ledger();
    const over = new AbortController();
    const told = { ledger, signal: over.signal, wrong, count };
    const projects = await Promise.all(people.map((who) => aProject(who)));
    const places = people.map((who, at) => ({ at, projectId: projects[at].projectId, both: troupe.webs.map(({ url }) => who.at(url)) }));
    const work = [...places.map((place) => writes({ ...told, ...place })), uploads({ ...told, ...places[0] })];
    if (short)
      await Promise.all([strike(troupe, 'frozen', ['projector'], { say, wrong, count }), strike(troupe, 'killed', ['reactor'], { say, wrong, count })]);
    for (const blow of short ? [] : ['killed', 'frozen', 'stopped', 'frozen']) {
      await strike(troupe, blow, ['projector', 'reactor'], { say, wrong, count });
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
