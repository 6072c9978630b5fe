// Promise: two servers behave like one, and the pages of a killed one move to the other
// Breaks: writes on one are read and received on the other, keys, password guesses and sessions are shared, one server is killed
// Gate: backend/src/platform/streams/streams.spec.ts "one command id sent to both acts once"
// Gate: backend/src/platform/auth/throttle.spec.ts "of concurrent attempts in two processes are all counted"
// Gate: backend/src/platform/projections/projector-role.spec.ts "a process that builds nothing reads a write as soon as the other has saved it"
// Gate: frontend/e2e/first-song-on-servers.journey.ts
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Browser, caughtUp, compareReceived, comparePage } from './lib/browser.mjs';
import { Ledger } from './lib/ledger.mjs';
import { actsOnce, crowded, erasedEverywhere, guessed, onEach, presenceCount, readAndHeard, registeredOnce, shutOut, signedOut } from './lib/two-servers.mjs';
import { startPrograms } from './lib/program.mjs';
import { startServers } from './lib/servers.mjs';
import { readServersLog, wrongInServersLog } from './lib/servers-log.mjs';
import { listen } from './lib/socket.mjs';
import { aProject, person, until, untilReady } from './lib/studio.mjs';
import { Band } from './lib/work.mjs';

const GUESSES = 10;
/** How long a killed process may still be listed in presence. */
const DEAD_MS = 16_000;

async function start(folder) {
  const servers = await startServers({ folder: join(folder, 'servers'), only: ['eventstore', 'mongodb', 's3'] });
  const env = { ...servers.env, MONGO_URL: `${servers.env.MONGO_URL}twowebs`, THROTTLE_ACCOUNT_PASSWORDS: String(GUESSES) };
  const programs = await startPrograms({ folder, roles: ['web', 'web', 'projector,reactor'], env });
  for (const web of programs.slice(0, 2)) await untilReady(web);
  return { servers, programs };
}

/** Writes on both servers at a constant rate until the signal. Commands a killed server did not answer are retried under the same key on the other. */
async function load(band, { urls, random, ledger, perSecond, signal }) {
  const [dying, staying] = urls;
  const resent = [];
  const keyed = async (at) => {
    const { projectId, writers } = band.projects[at % band.projects.length];
    const command = { path: '/api/comments', body: { projectId, submission: { content: `Keyed ${at}` } }, key: `keyed-${at}` };
    const answer = await ledger.send(writers[0].at(at % 2 === 0 ? dying : staying), command);
    if (answer.status === 0) resent.push(await ledger.send(writers[0].at(staying), command));
  };
  const sent = [];
  for (let at = 0, due = performance.now(); !signal.aborted; at += 1, due += 1_000 / perSecond) {
    await pause(Math.max(0, due - performance.now()));
    sent.push(at % 3 === 0 ? keyed(at) : band.command(random, ledger));
  }
  await Promise.all(sent);
  return resent;
}

/** For each writer in each project, a page on the server to be killed and a witness on the other. */
async function audience(band, { urls, wrong }) {
  const seats = [];
  for (const { projectId, writers } of band.projects) {
    for (const who of writers) {
      const [dying, staying] = onEach(who, urls);
      const browser = await new Browser(dying, projectId, { wrong, name: `${who.username}, whose server dies` }).open();
      const witness = await new Browser(staying, projectId, { wrong, name: `witness ${who.username}` }).open();
      seats.push({ browser, witness, back: staying });
    }
  }
  return seats;
}

/** A member on the killed server is removed meanwhile: they cannot rejoin and receive nothing from after the removal. */
async function removedMeanwhile({ browser, back }, { owner, wrong }) {
  const { headers } = await owner.insist('PUT', `/api/projects/${owner.uid}/editPermissions/${browser.projectId}`, {
    permissionDiffs: [{ uid: back.uid, permissions: { comment: false, download: false }, write: false, removed: true }],
  });
  await owner.must('POST', '/api/comments', { projectId: browser.projectId, submission: { content: 'Behind the door' } });
  comeTo(browser, back);
  const answer = await browser.connect();
  if (answer.ok) wrong('a member removed while their server was down could join on the other');
  const late = browser.handled.filter(({ body }) => body.position > Number(headers['x-position']));
  if (late.length > 0) wrong(`a member removed while their server was down received ${late.length} later messages`);
  browser.close();
}

const comeTo = (browser, who) => Object.assign(browser, { who, url: who.url, comebacks: browser.comebacks + 1 });

/** A final change in each project; a browser that received it has received everything. */
async function lastOf({ projectId, writers }) {
  const { headers } = await writers[0].insist('PUT', `/api/projects/${projectId}`, { submission: { description: 'the end' } });
  return Number(headers['x-position']);
}

/** Kills one server under load; its pages reconnect to the other. */
async function killed({ programs, env, random, short, print, wrong, count }) {
  const [dying, staying] = programs;
  const urls = [dying.url, staying.url];
  const band = await Band.form(staying, { size: short ? 2 : 3, prefix: 'Band' });
  const [owner, guest] = [band.people[0], await person(staying.url, 'Gone')];
  const { projectId } = await aProject(owner, { collaborators: [guest] });
  const gone = { browser: await new Browser(guest.at(dying.url), projectId, { wrong, name: 'the one removed' }).open(), back: guest };
  const watcher = await listen(owner);
  const lonely = await listen(guest.at(dying.url));
  for (const socket of [watcher, lonely]) await socket.ask('login').then(() => socket.join(projectId));
  const seats = await audience(band, { urls, wrong });
  const ledger = new Ledger({ isPatient: true });
  const over = new AbortController();
  const loading = load(band, { urls, random, ledger, perSecond: short ? 25 : 40, signal: over.signal });
  await pause(short ? 1_000 : 8_000);
  await dying.kill();
  const killedAt = performance.now();
  await removedMeanwhile(gone, { owner, wrong });
  await Promise.all(seats.map(({ browser, back }) => comeTo(browser, back).connect()));
  print(`all pages were back ${Math.round(performance.now() - killedAt)} ms after the kill`);
  await pause(short ? 500 : 6_000);
  over.abort();
  const resent = await loading;
  if (resent.some(({ status }) => status !== 201))
    wrong(`retried on the other server: ${resent.map(({ status, body }) => `${status} ${body?.code ?? ''}`).join('; ')}`);
  count('commands retried on the other server', resent.length);
  await compare(band, seats, { wrong, count });
  for (const sentence of wrongInServersLog(await readServersLog(env), ledger)) wrong(sentence);
  count('commands acknowledged around the kill', ledger.acknowledged.size);
  if (!short) await presenceCleared(watcher, { killedAt, wrong, print });
  for (const socket of [watcher, lonely]) socket.close();
}

async function compare(band, seats, { wrong, count }) {
  const ends = new Map();
  for (const project of band.projects) ends.set(project.projectId, await lastOf(project));
  for (const { browser, witness } of seats) {
    for (const each of [browser, witness]) await caughtUp(each, ends.get(browser.projectId));
    if (browser.reloads === 0) compareReceived(browser, witness, wrong);
    for (const each of [browser, witness]) await comparePage(each, wrong);
    if (witness.repeats > 0) wrong(`${witness.name} stayed connected and received ${witness.repeats} messages twice`);
    count('messages handled', browser.handled.length);
    count('told to reload', browser.reloads);
    for (const each of [browser, witness]) each.close();
  }
}

/** Users who were only on the killed server must disappear from presence. */
async function presenceCleared(watcher, { killedAt, wrong, print }) {
  await until('presence lists only connected users', () => presenceCount(watcher) === 1, DEAD_MS).catch(({ message }) => wrong(`presence: ${message}`));
  print(`removed from presence within ${Math.round(performance.now() - killedAt)} ms of the kill`);
}

/** Stops the remaining programs. */
async function ended(programs, wrong) {
  for (const program of programs) {
    const { code } = await program.stop();
    if (code !== 0) wrong(`a program exited with ${code} after SIGTERM: ${program.output.trim().split('\n').at(-1)}`);
  }
}

export const fault = {
  name: 'two-webs',
  alone: true,
  limitS: 300,
  needs: 'servers',
  async run({ random, short, folder, print, wrong, count }) {
    const { servers, programs } = await start(folder);
    const urls = programs.slice(0, 2).map(({ url }) => url);
    const tools = { urls, print, wrong, count };
    const owner = await person(urls[0], 'Ona');
    const [member, leaver, guessedOne, outgoing] = await Promise.all(['Mia', 'Lev', 'Gus', 'Oto'].map((name, at) => person(urls[at % 2], name)));
    const { projectId } = await aProject(owner, { collaborators: [member, leaver] });
    // Checked alone, because it checks durations.
    await signedOut({ ...tools, who: outgoing });
    await readAndHeard({ ...tools, owner, member, projectId, rounds: short ? 3 : 20 });
    for (let round = 0; round < (short ? 1 : 5); round += 1) {
      for (const kind of ['comment', 'project', 'version'])
        await actsOnce({ ...tools, owner, projectId, kind, key: `${kind}-${round}`, times: short ? 30 : 50 });
    }
    await registeredOnce(tools);
    await guessed({ ...tools, who: guessedOne, times: short ? 20 : 60, allowed: GUESSES });
    await shutOut({ ...tools, owner, member: leaver, projectId });
    await crowded({ ...tools, owner, projectId, writers: short ? 12 : 32, milliseconds: short ? 800 : 8_000 });
    if (!short) await erasedEverywhere({ ...tools, owner });
    await killed({ programs, env: servers.env, random, short, print, wrong, count });
    if (!short) await ended(programs.slice(1), wrong);
    await servers.stop();
  },
};
