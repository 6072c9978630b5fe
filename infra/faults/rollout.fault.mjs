// Promise: a new version refuses no command, shows no gap, and pushes and sends nothing again
// Breaks: a program with a raised read model version replaces another under ten commands a second
// Gate: backend/src/platform/projections/other-editions.spec.ts "while two versions of the program run, each has read models of its own, and both are current"
// Gate: backend/src/platform/projections/other-editions.spec.ts "a version that is left without a projector process is built by its web process, as long as another version is there"
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Balancer } from './lib/balancer.mjs';
import { Ledger } from './lib/ledger.mjs';
import { startProgram } from './lib/program.mjs';
import { loading, quiet } from './lib/read-models.mjs';
import { startServers } from './lib/servers.mjs';
import { readServersLog, wrongInServersLog } from './lib/servers-log.mjs';
import { listen } from './lib/socket.mjs';
import { storedEditions } from './lib/stored-documents.mjs';
import { aProject, pageOf, person, until, untilReady } from './lib/studio.mjs';

const PER_SECOND = 10;
/** Every how many commands a page is read. */
const READ_EVERY = 3;
/** For how long the read models of the other version may lag behind a command's answer. */
const LAG_MS = 5_000;
const AGAIN_MS = 50;
/** Longer than the read models of a version are kept after its last process. */
const DROPPED_MS = 120_000;
/**
 * How many projects there are: many, so that pages stay small and both processes rarely write to one stream at once. For how long commands are sent before
 * the rollout, so that the new version has something to build, and for how long both versions serve.
 */
const extentOf = (short) => (short ? { projects: 4, beforeMs: 2_000, bothMs: 1_500 } : { projects: 10, beforeMs: 20_000, bothMs: 10_000 });

/** The processes of both versions, on one set of servers. */
class Site {
  #folder;
  #folders = [];
  balancer = new Balancer();

  constructor(folder, env) {
    this.#folder = folder;
    this.env = { ...env, MONGO_URL: `${env.MONGO_URL}rollout`, PUBLIC_URL: 'http://roughmix.localhost', ERASURES_FILE: `${folder}/erasures.ndjson` };
  }

  start(ROLES, options = {}) {
    const folder = `${this.#folder}/program-${this.#folders.length + 1}`;
    this.#folders.push(folder);
    return startProgram({ ...options, folder, env: { ...this.env, ROLES } });
  }

  startNew(ROLES) {
    return this.start(ROLES, { nodeArgs: loading('raised-version.mjs') });
  }

  editions() {
    return storedEditions(this.env.MONGO_URL);
  }

  get emails() {
    const outboxes = this.#folders.map((folder) => join(folder, 'outbox')).filter((outbox) => existsSync(outbox));
    return outboxes.flatMap((outbox) => readdirSync(outbox)).filter((file) => !file.startsWith('.')).length;
  }
}

/** Reads a page until it shows a comment: at once, or from the other version, a moment later. */
async function read(reader, { projectId, commentId, isPatient, wrong, count }) {
  for (const end = performance.now() + LAG_MS; ; await pause(AGAIN_MS)) {
    const { status, body } = await reader[isPatient ? 'insist' : 'call']('GET', `/api/projects/${projectId}/visitor/${reader.uid}`);
    if (status !== 200) return wrong(`a page was answered ${status} ${body?.code ?? ''}`);
    if (body.data.comments.some(({ _id }) => _id === commentId)) return undefined;
    if (performance.now() > end) return wrong(`a comment is missing on a page requested ${LAG_MS} ms after its answer`);
    count('pages read again');
  }
}

/** Sends a comment to any ready process, and reads some of them again on any. No command may be refused. */
async function comment(at, { balancer, who, projectIds, ledger, wrong, count }) {
  const { isPatient } = ledger;
  const projectId = projectIds[at % projectIds.length];
  const body = { projectId, submission: { content: `Take ${at}` } };
  const { writer, ...answer } = await balancer.send(async (program) => ({
    ...(await ledger.send(who.at(program.url), { path: '/api/comments', body })),
    writer: program,
  }));
  const { status, ms, error } = answer;
  if (status !== 201) return wrong(`command ${at} was answered ${status} ${answer.body?.code ?? error?.code ?? ''} after ${Math.round(ms)} ms`);
  count('commands acknowledged');
  if (at % READ_EVERY > 0) return undefined;
  const commentId = answer.body.newComment._id;
  return balancer.send(async (program) => {
    await read(who.at(program.url), { projectId, commentId, isPatient, wrong, count });
    count(program === writer ? 'pages read on the same process' : 'pages read on the other process');
  });
}

/** Comments at a constant rate. */
async function work({ signal, ...tools }) {
  const sent = [];
  for (let at = 0, due = performance.now(); !signal.aborted; at += 1, due += 1_000 / PER_SECOND) {
    await pause(Math.max(0, due - performance.now()));
    sent.push(comment(at, tools).catch(({ message }) => tools.wrong(message)));
  }
  await Promise.all(sent);
}

const newestOf = (ledger) => Math.max(0, ...[...ledger.acknowledged.values()].map(({ position }) => position));

/** A member's sockets. What a version builds from earlier events is pushed to nobody. */
class Member {
  #sockets = [];

  constructor(who, ledger) {
    this.who = who;
    this.ledger = ledger;
  }

  /** @param since events up to this position must not be pushed to the new socket */
  async listenTo({ url }, since) {
    this.#sockets.push({ since, socket: await listen(this.who.at(url)) });
  }

  check({ wrong, count }) {
    for (const { since, socket } of this.#sockets) {
      const pushes = socket.received.filter(({ channel, body }) => channel === 'notification' && body.type === 'NotificationAdded').map(({ body }) => body);
      const repeated = pushes.length - new Set(pushes.map(({ view }) => view._id)).size;
      if (repeated > 0) wrong(`${repeated} notifications were pushed twice`);
      const late = pushes.filter(({ position }) => position <= since);
      if (late.length > 0) wrong(`${late.length} notifications of earlier events were pushed`);
      if (pushes.length === 0) wrong('no notification was pushed');
      count('notifications pushed', pushes.length);
      socket.close();
    }
  }

  unreadOn({ url }) {
    return this.who.at(url).must('GET', `/api/notifications/${this.who.uid}`);
  }
}

/** What all processes together must hold in the end. */
async function compare({ site, web, who, member, unreadBefore, emailsBefore, projectIds, ledger, wrong, count }) {
  await quiet(web);
  for (const sentence of wrongInServersLog(await readServersLog(site.env), ledger)) wrong(sentence);
  const pages = await Promise.all(projectIds.map((projectId) => pageOf(who.at(web.url), projectId)));
  const shown = new Set(pages.flatMap(({ comments }) => comments.map(({ _id }) => _id)));
  for (const { body } of ledger.acknowledged.values()) if (!shown.has(body.newComment._id)) wrong('an acknowledged comment is missing on the page');
  const { counts } = await member.unreadOn(web);
  const expected = unreadBefore + ledger.acknowledged.size;
  if (counts.other !== expected) wrong(`a member has ${counts.other} unread notifications instead of ${expected}`);
  member.check({ wrong, count });
  if (site.emails !== emailsBefore) wrong(`${site.emails - emailsBefore} e-mails were written`);
}

/** Two people and the projects that they share, on a site whose old version is ready. */
async function prepare({ site, old, projects, ledger }) {
  await untilReady(old[0]);
  site.balancer.add(old[0]);
  await until('the old version serves', () => site.balancer.isServing(old[0]));
  const [who, other] = [await person(old[0].url, 'Ana'), await person(old[0].url, 'Bea')];
  const projectIds = [];
  for (let at = 0; at < projects; at += 1) projectIds.push((await aProject(who, { projectName: `Tide ${at}`, collaborators: [other] })).projectId);
  const member = new Member(other, ledger);
  await quiet(old[0]);
  const unreadBefore = (await member.unreadOn(old[0])).counts.other;
  await member.listenTo(old[0], 0);
  return { who, projectIds, member, unreadBefore, emailsBefore: site.emails };
}

/** Both versions under load, from before the rollout until the old version has ended, or its read models are dropped. */
async function rollout(name, { folder, short, print, wrong, count, replace, old: roles }) {
  const { projects, beforeMs, bothMs } = extentOf(short);
  const servers = await startServers({ folder: join(folder, name, 'servers'), only: ['eventstore', 'mongodb', 's3'] });
  const site = new Site(join(folder, name), servers.env);
  const old = await Promise.all(roles.map((each) => site.start(each)));
  const [over, ledger] = [new AbortController(), new Ledger({ isPatient: short })];
  const prepared = await prepare({ site, old, projects, ledger });
  const working = work({ ...prepared, balancer: site.balancer, ledger, signal: over.signal, wrong, count });
  await pause(beforeMs);
  const since = newestOf(ledger);
  const serves = async (program) => {
    const listens = performance.now();
    site.balancer.add(program);
    await until('the new version serves', () => site.balancer.isServing(program));
    print(`${name}: the new version was ready ${Math.round(performance.now() - listens)} ms after it listened`);
    await prepared.member.listenTo(program, since);
    if ((await site.editions()).size !== 2) wrong('there are not two sets of read models while both versions run');
  };
  const young = await replace({ old, site, serves, bothMs });
  const ended = performance.now();
  if (short) await pause(bothMs);
  else {
    await until('the old read models are dropped', async () => (await site.editions()).size === 1, DROPPED_MS);
    print(`${name}: the old read models were dropped ${Math.round((performance.now() - ended) / 1_000)} s after the last old process`);
  }
  over.abort();
  await working;
  await site.balancer.close();
  if (short) count('commands deferred', ledger.deferred.size);
  await compare({ ...prepared, site, web: young.at(-1), ledger, wrong, count });
  await Promise.all(young.map((program) => program.stop()));
  await servers.stop();
}

const ALL = 'web,projector,reactor';

/** Every process has all roles: the new one starts beside the old one, which ends later. */
const together = {
  old: [ALL],
  replace: async ({ old: [old], site, serves, bothMs }) => {
    const young = await site.startNew(ALL);
    await serves(young);
    await pause(bothMs);
    await site.balancer.stop(old);
    return [young];
  },
};

/** The projector is replaced first, so the old web process is left without one and builds for itself. */
const byRole = {
  old: ['web', 'projector,reactor'],
  replace: async ({ old: [oldWeb, oldProjector], site, serves, bothMs }) => {
    const projector = await site.startNew('projector,reactor');
    await untilReady(projector);
    await oldProjector.stop();
    await pause(bothMs);
    const web = await site.startNew('web');
    await serves(web);
    await pause(bothMs);
    await site.balancer.stop(oldWeb);
    return [projector, web];
  },
};

export const fault = {
  name: 'rollout',
  alone: true,
  needs: 'servers',
  limitS: 600,
  async run({ folder, short, print, wrong, count }) {
    if (!short) await rollout('together', { folder, short, print, wrong, count, ...together });
    await rollout('by role', { folder, short, print, wrong, count, ...byRole });
  },
};
