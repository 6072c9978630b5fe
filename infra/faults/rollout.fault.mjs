import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './lib/client.mjs';
import { Ledger } from './lib/ledger.mjs';
import { startProgram } from './lib/program.mjs';
import { loading, quiet } from './lib/read-models.mjs';
import { startServers } from './lib/servers.mjs';
import { readServersLog, wrongInServersLog } from './lib/servers-log.mjs';
import { storedEditions } from './lib/stored-documents.mjs';
import { aProject, pageOf, person, until, untilReady } from './lib/studio.mjs';

const PER_SECOND = 10;
/** Many, so that pages stay small and both processes rarely write to one stream at once. */
const PROJECTS = 10;
/** Every how many commands a page is read. */
const READ_EVERY = 3;
/** How often the balancer asks a process whether it is ready. */
const CHECK_MS = 100;
/** Work before the rollout, so the new read models take a while to build. */
const BEFORE_MS = 20_000;
/** How long both versions serve. */
const BOTH_MS = 10_000;
/** Longer than the read models of a version are kept after its last process. */
const RETIRED_MS = 120_000;

/** Sends each request to one of the ready processes in turn, as a load balancer does. */
class Balancer {
  #programs = new Set();
  #ready = [];
  #turn = 0;
  #over = new AbortController();
  #checking;

  constructor() {
    this.#checking = this.#check();
  }

  add(program) {
    this.#programs.add(program);
  }

  /** Stops a process while requests continue; it leaves the turns once it reports that it is not ready. */
  async stop(program) {
    const { code } = await program.stop();
    this.#programs.delete(program);
    if (code !== 0) throw new Error(`exit code ${code} after SIGTERM`);
  }

  next() {
    this.#turn += 1;
    return this.#ready[this.#turn % this.#ready.length];
  }

  isServing = (program) => this.#ready.includes(program);

  async close() {
    this.#over.abort();
    await this.#checking;
  }

  async #check() {
    while (!this.#over.signal.aborted) {
      const asked = [...this.#programs];
      const answers = await Promise.all(asked.map(({ url }) => new Client(url).call('GET', '/health/ready', undefined, { milliseconds: 2_000 })));
      this.#ready = asked.filter((_, at) => answers[at].status === 200);
      await pause(CHECK_MS);
    }
  }
}

/** Comments at a constant rate, some of them read again on any ready process. No command may be refused, and none is retried. */
async function work({ balancer, who, projectIds, ledger, signal, wrong, count }) {
  const one = async (at) => {
    const projectId = projectIds[at % PROJECTS];
    const program = balancer.next();
    if (program === undefined) return wrong('no process is ready');
    const { status, body, ms, error } = await ledger.send(who.at(program.url), {
      path: '/api/comments',
      body: { projectId, submission: { content: `Take ${at}` } },
    });
    if (status !== 201) return wrong(`command ${at} was answered ${status} ${body?.code ?? error?.code ?? ''} after ${Math.round(ms)} ms`);
    count('commands acknowledged at once');
    if (at % READ_EVERY > 0) return undefined;
    const reader = balancer.next();
    if (reader === undefined) return wrong('no process is ready');
    const { status: read, body: page } = await who.at(reader.url).call('GET', `/api/projects/${projectId}/visitor/${who.uid}`);
    if (read !== 200) return wrong(`a page was answered ${read} ${page?.code ?? ''}`);
    if (!page.data.comments.some(({ _id }) => _id === body.newComment._id)) wrong(`command ${at} is missing on a page requested afterwards`);
    count(reader === program ? 'pages read on the same process' : 'pages read on the other process');
  };
  const sent = [];
  for (let at = 0, due = performance.now(); !signal.aborted; at += 1, due += 1_000 / PER_SECOND) {
    await pause(Math.max(0, due - performance.now()));
    sent.push(one(at));
  }
  await Promise.all(sent);
}

/** Both versions on one set of servers, under load from before the rollout until the old read models are dropped. */
async function rollout(name, { folder, print, wrong, count, replace, old: roles }) {
  const servers = await startServers({ folder: join(folder, name, 'servers'), only: ['eventstore', 'mongodb', 's3'] });
  const env = { ...servers.env, MONGO_URL: `${servers.env.MONGO_URL}rollout`, PUBLIC_URL: 'http://roughmix.localhost' };
  let started = 0;
  const start = (ROLES, options = {}) => {
    started += 1;
    const shared = { ...env, ERASURES_FILE: `${folder}/${name}/erasures.ndjson`, ROLES };
    return startProgram({ ...options, folder: `${folder}/${name}/program-${started}`, env: shared });
  };
  const startNew = (each) => start(each, { nodeArgs: loading('raised-version.mjs') });
  const old = await Promise.all(roles.map((each) => start(each)));
  await untilReady(old[0]);
  const balancer = new Balancer();
  balancer.add(old[0]);
  await until('the old version serves', () => balancer.isServing(old[0]));
  const who = await person(old[0].url, 'Ana');
  const projectIds = [];
  for (let at = 0; at < PROJECTS; at += 1) projectIds.push((await aProject(who, { projectName: `Tide ${at}` })).projectId);
  const [over, ledger] = [new AbortController(), new Ledger()];
  const working = work({ balancer, who, projectIds, ledger, signal: over.signal, wrong, count });
  await pause(BEFORE_MS);
  const serves = async (program) => {
    const since = performance.now();
    balancer.add(program);
    await until('the new version serves', () => balancer.isServing(program));
    print(`${name}: the new version was ready ${Math.round(performance.now() - since)} ms after it listened`);
    if ((await storedEditions(env.MONGO_URL)).size !== 2) wrong('there are not two sets of read models while both versions run');
  };
  const young = await replace({ old, startNew, serves, balancer });
  const since = performance.now();
  await until('the old read models are dropped', async () => (await storedEditions(env.MONGO_URL)).size === 1, RETIRED_MS);
  print(`${name}: the old read models were dropped ${Math.round((performance.now() - since) / 1_000)} s after the last old process`);
  over.abort();
  await working;
  await balancer.close();
  const web = young.at(-1);
  await quiet(web);
  for (const sentence of wrongInServersLog(await readServersLog(env), ledger)) wrong(sentence);
  const pages = await Promise.all(projectIds.map((projectId) => pageOf(who.at(web.url), projectId)));
  const shown = new Set(pages.flatMap(({ comments }) => comments.map(({ _id }) => _id)));
  for (const { body } of ledger.acknowledged.values()) if (!shown.has(body.newComment._id)) wrong('an acknowledged comment is missing on the page');
  for (const program of young) await program.stop();
  await servers.stop();
}

const ALL = 'web,projector,reactor';

/** Every process has all roles: the new one starts beside the old one, which ends later. */
const together = {
  old: [ALL],
  replace: async ({ old: [old], startNew, serves, balancer }) => {
    const young = await startNew(ALL);
    await serves(young);
    await pause(BOTH_MS);
    await balancer.stop(old);
    return [young];
  },
};

/** The projector is replaced first, so the old web process is left without one and builds for itself. */
const byRole = {
  old: ['web', 'projector,reactor'],
  replace: async ({ old: [oldWeb, oldProjector], startNew, serves, balancer }) => {
    const projector = await startNew('projector,reactor');
    await untilReady(projector);
    await oldProjector.stop();
    await pause(BOTH_MS);
    const web = await startNew('web');
    await serves(web);
    await pause(BOTH_MS);
    await balancer.stop(oldWeb);
    return [projector, web];
  },
};

export const fault = {
  name: 'rollout',
  about: 'a program with a raised read model version replaces another under ten commands a second: no command is refused, and reads never see a gap',
  short: false,
  alone: true,
  needs: 'servers',
  limitS: 600,
  async run({ folder, print, wrong, count }) {
    await rollout('together', { folder, print, wrong, count, ...together });
    await rollout('by role', { folder, print, wrong, count, ...byRole });
  },
};
