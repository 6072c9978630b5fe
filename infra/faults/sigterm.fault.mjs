// Promise: a stop fails no request already read, ends with exit code 0 within 10 s, and loses no acknowledged command
// Breaks: SIGTERM and SIGINT at random moments under load; sockets reconnect
// Gate: short form
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './lib/client.mjs';
import { compareAll } from './lib/compare.mjs';
import { Ledger } from './lib/ledger.mjs';
import { startProgram } from './lib/program.mjs';
import { between } from './lib/seeded.mjs';
import { listen } from './lib/socket.mjs';
import { addVersion, smallWav, until } from './lib/studio.mjs';
import { Band } from './lib/work.mjs';

const END_MS = 10_000;
/** Per run. A connection that arrives between the last accept and the end of listening is lost: docs/adr/0012-stopping.md. */
const MOST_LOST = 2;
/** More than the socket buffers hold. */
const LONG_SECONDS = 500;

/** Sends requests on new connections or a kept-alive one until the program exits. On refused connections nothing was sent. */
async function ask(who, path, { keepAlive, restMs, late, wrong, count }) {
  const agent = new Agent({ keepAlive, maxSockets: 1 });
  for (;;) {
    const { status, error, isFirst } = await getWhole(agent, who, path);
    if (error?.code === 'ECONNREFUSED') break;
    if (isLate({ error, isFirst })) late.push({ what: `GET ${path}` });
    else if (error !== undefined) wrong(`a request on a ${keepAlive ? 'kept-alive' : 'new'} connection failed: ${error.code ?? error.message}`);
    else if (status !== 200) wrong(`GET ${path}: ${status}`);
    count('reads answered');
    if (error !== undefined) break;
    await pause(restMs);
  }
  agent.destroy();
}

/** Lost before any of it was read: the system had accepted the connection but the program had not. */
const isLate = ({ error, isFirst }) => error?.code === 'ECONNRESET' && isFirst;

/** One GET with its complete answer. */
function getWhole(agent, who, path) {
  return new Promise((resolve) => {
    const failed = (error) => resolve({ status: 0, error, isFirst: !sent.reusedSocket });
    const sent = request(new URL(path, who.url), { agent, headers: { authorization: `Bearer ${who.token}` } }, (answer) => {
      answer.once('error', failed).once('end', () => resolve({ status: answer.statusCode }));
      answer.resume();
    });
    sent.once('error', failed).end();
  });
}

/** A download whose reader stops reading. */
async function stallDownload(who, path) {
  const { port, hostname } = new URL(who.url);
  const socket = connect({ port: Number(port), host: hostname });
  socket.on('error', () => undefined); // cut off at shutdown, as expected
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${who.token}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

/** An upload after its first half. `finish` sends the rest and returns the status, 0 without an answer. */
async function beginUpload(who, projectId, wav) {
  const announced = { purpose: 'version', filename: 'take.wav', contentType: 'audio/wav', size: wav.length, projectId };
  const { url, headers } = await who.must('POST', '/api/storage/uploads', announced);
  const put = request(new URL(url, who.url), { method: 'PUT', headers: { ...headers, 'content-length': String(wav.length) } });
  const answered = new Promise((resolve) => {
    put.once('response', (answer) => resolve(answer.resume().statusCode)).once('error', () => resolve(0));
  });
  const half = Math.floor(wav.length / 2);
  put.write(wav.subarray(0, half));
  const finish = () => {
    put.end(wav.subarray(half));
    return answered;
  };
  return { finish, answered };
}

const holds = (ledger, { late, wrong }) => ({
  send: async (who, command) => {
    const keyed = { ...command, key: crypto.randomUUID() };
    const answer = await ledger.send(who, keyed);
    const { status, error } = answer;
    if (isLate(answer)) late.push({ what: 'a command', again: (url) => ledger.send(who.at(url), keyed) });
    else if (status === 0 && error?.code !== 'ECONNREFUSED') wrong(`a command got no answer: ${error?.code ?? error?.message}`);
    return answer;
  },
});

/** Everything in progress when the signal arrives. */
async function load({ program, band, random, ledger, stalls, tools: { wrong, count } }) {
  const [owner] = band.people;
  const [{ projectId }] = band.projects;
  const page = `/api/projects/${projectId}/visitor/${owner.uid}`;
  const late = [];
  const stop = new AbortController();
  const work = band.work(random, holds(ledger, { late, wrong }), { writers: 6, signal: stop.signal });
  const reads = [
    ask(owner, page, { keepAlive: false, restMs: 5, late, wrong, count }),
    ask(owner, page, { keepAlive: true, restMs: between(random, 100, 300), late, wrong, count }),
    ask(owner, page, { keepAlive: true, restMs: between(random, 300, 900), late, wrong, count }),
  ];
  const sockets = await Promise.all(band.people.map((who) => listen(who)));
  const reasons = [];
  for (const { socket } of sockets) socket.on('disconnect', (reason) => reasons.push(reason));
  await Promise.all(sockets.map((socket) => socket.join(projectId)));
  const long = await addVersion(owner, projectId, { wav: smallWav(LONG_SECONDS) });
  if (long.status !== 201) throw new Error(`the long version: ${long.status} ${JSON.stringify(long.body)}`);
  const inFlight = await beginUpload(owner, projectId, smallWav(2));
  const stalled = stalls ? [await stallDownload(owner, `/api/media/${long.body.versionId}/audio`), await stallUpload(band, program)] : [];
  return { stop, work, reads, sockets, reasons, inFlight, stalled, late, versionId: long.body.versionId };
}

/** An upload that never continues. */
async function stallUpload(band, program) {
  const who = band.people[1].at(program.url);
  return beginUpload(who, band.projects[1].projectId, smallWav(2));
}

/** Polls readiness until it reports the shutdown, which must happen before the port closes. */
async function readinessFails({ program, wrong }) {
  const probe = new Client(program.url);
  for (let before = 'nothing'; ; await pause(20)) {
    const { status, body, error } = await probe.call('GET', '/health/ready');
    if (status === 503 && body?.status === 'closing') break;
    if (error?.code === 'ECONNREFUSED') {
      wrong(`the port was closed, but readiness never reported it: the last answer was ${before}`);
      break;
    }
    if (status !== 0) before = `${status} ${JSON.stringify(body)}`;
  }
  probe.close();
}

/** Sends a signal under load and checks the shutdown. */
async function round({ program, band, random, ledger, stalls, signal, tools }) {
  const { wrong, count } = tools;
  const under = await load({ program, band, random, ledger, stalls, tools });
  await pause(between(random, 0, 700));
  const begun = performance.now();
  program.signal(signal);
  const [sent, ended] = await Promise.all([
    pause(between(random, 200, 2_000)).then(under.inFlight.finish),
    program.ended(END_MS + 5_000),
    readinessFails({ program, wrong }),
  ]);
  const ms = Math.round(performance.now() - begun);
  under.stop.abort();
  await Promise.all([under.work, ...under.reads]);
  await until('the sockets are closed', () => under.reasons.length >= under.sockets.length).catch(() => undefined); // reported below
  if (sent !== 204) wrong(`the upload in progress: ${sent}, not 204`);
  if (ended.code !== 0) wrong(`${signal} ended the program with ${ended.code ?? ended.signal}\n${program.output.slice(-1_000)}`);
  if (ms > END_MS) wrong(`the shutdown took ${ms} ms`);
  if (under.reasons.length < under.sockets.length) wrong(`${under.sockets.length - under.reasons.length} sockets were not closed`);
  for (const reason of under.reasons) if (reason !== 'transport close') wrong(`a socket was closed with '${reason}', after which it does not reconnect`);
  for (const socket of under.sockets) socket.close();
  count('signals');
  return { ms, versionId: under.versionId, late: under.late };
}

/** Interrupted reactions must be completed after the restart. */
const analysed = (who, versionId) =>
  until('the interrupted analysis is completed', async () => {
    const { versions } = await who.must('GET', `/api/media/${versionId}`);
    return versions[0]?.state === 'ready';
  });

/** Retries commands lost at the last moment; each must be executed once. */
async function again(late, url, { wrong, count }) {
  for (const { again: send } of late) {
    const answer = await send?.(url);
    if (answer !== undefined && (answer.status === 0 || answer.status >= 500)) wrong(`the retry of a lost command: ${answer.status} ${answer.error ?? ''}`);
    count('requests lost at the last moment');
  }
}

/** A second signal must end the program at once. */
async function secondSignal({ folder, band, wrong }) {
  const program = await startProgram({ folder });
  band.moveTo(program.url);
  const [owner] = band.people;
  await beginUpload(owner, band.projects[0].projectId, smallWav(2));
  program.signal('SIGINT');
  program.signal('SIGINT');
  await pause(1_500);
  if (!program.isAlive) wrong('two signals at once, as npm and the terminal send them, ended the program before the upload');
  const begun = performance.now();
  program.signal('SIGINT');
  const { code } = await program.ended();
  const ms = Math.round(performance.now() - begun);
  if (code !== 130 || ms > 1_000) wrong(`a second signal: exit code ${code} after ${ms} ms, not 130 at once`);
}

export const fault = {
  name: 'sigterm',
  async run({ random, short, folder, print, wrong, count }) {
    const ledger = new Ledger();
    let program = await startProgram({ folder });
    const band = await Band.form(program, { size: short ? 2 : 3 });
    const rounds = short ? 1 : 4;
    const lost = [];
    for (let at = 1; at <= rounds; at += 1) {
      const stalls = at % 2 === 0;
      const signal = at > 2 ? 'SIGINT' : 'SIGTERM';
      const { ms, versionId, late } = await round({ program, band, random, ledger, stalls, signal, tools: { wrong, count } });
      program = await startProgram({ folder });
      band.moveTo(program.url);
      lost.push(...late.map(({ what }) => what));
      await again(late, program.url, { wrong, count });
      await analysed(band.people[0], versionId);
      const events = await compareAll({ folder, ledger, people: band.people, wrong, count: () => undefined });
      print(`round ${at}: ${signal}${stalls ? ', with a stalled download and upload' : ''}, ended after ${ms} ms; ${events.length} events in the log`);
    }
    if (lost.length > MOST_LOST) wrong(`lost on last-moment connections: ${lost.join(', ')}`);
    await program.stop();
    count('commands answered', ledger.acknowledged.size + ledger.refused.size);
    if (!short) await secondSignal({ folder, band, wrong });
  },
};
