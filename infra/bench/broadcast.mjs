// Latency of a comment until the last of 1,000 sockets in its project's room has received it, compared with a bare socket.io server that emits the same bytes.
// Both sides take turns in one run, in separate processes; the sockets are in this process. Also reports the memory of both servers with and without the sockets.
// Usage: node infra/bench/broadcast.mjs [--sockets 1000] [--rounds 7] [--each 20]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { Client } from '../faults/lib/client.mjs';
import { startProgram } from '../faults/lib/program.mjs';
import { aProject, person } from '../faults/lib/studio.mjs';

const { values } = parseArgs({
  options: { sockets: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '7' }, each: { type: 'string', default: '20' } },
});
const [SOCKETS, ROUNDS, EACH] = [Number(values.sockets), Number(values.rounds), Number(values.each)];
const A_PERSON = 20;
const BARE = fileURLToPath(new URL('./bare-socket-server.mjs', import.meta.url));

/** A minimal socket that answers pings and reports messages of the comments channel. */
function plainSocket(url, { token, joins, onMessage }) {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    ws.on('error', reject);
    ws.on('message', (/** @type {Buffer} */ bytes) => {
      const packet = bytes.toString('utf8');
      const isIn = packet.startsWith('40') && joins === undefined;
      if (packet === '2') ws.send('3');
      else if (packet.startsWith('0')) ws.send(token === undefined ? '40' : `40${JSON.stringify({ token })}`);
      else if (isIn || packet.startsWith('430[{"ok":true')) resolve(ws);
      else if (packet.startsWith('40')) ws.send(`420["in-project",${JSON.stringify({ projectId: joins })}]`);
      else if (packet.startsWith('42["comments"')) onMessage(packet);
      else if (packet.startsWith('43')) ws.emit('error', new Error(packet));
    });
  });
}

/** Counts until every socket has received a message. */
class Counter {
  #left = 0;
  #done = () => undefined;
  onMessage = (packet) => {
    this.packet = packet;
    this.#left -= 1;
    if (this.#left === 0) this.#done(performance.now());
  };
  all() {
    this.#left = SOCKETS;
    return new Promise((resolve) => (this.#done = resolve));
  }
}

const memory = (pid) => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
const part = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const figures = (times) => {
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: part(sorted, 0.5), p99: part(sorted, 0.99) };
};
const median = (list) =>
  part(
    list.toSorted((a, b) => a - b),
    0.5,
  );

async function bareServer() {
  const child = spawn(process.execPath, [BARE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { child, url: `http://127.0.0.1:${Number(line)}` };
}

/** Opens one side's sockets, a hundred at a time. */
async function open(url, facts) {
  const sockets = [];
  for (let at = 0; at < SOCKETS; at += 100) {
    sockets.push(...(await Promise.all(Array.from({ length: Math.min(100, SOCKETS - at) }, (_, index) => plainSocket(url, facts(at + index))))));
  }
  return sockets;
}

async function timesOf(send, counter) {
  const times = [];
  for (let at = 0; at < EACH; at += 1) {
    const all = counter.all();
    const startedAt = performance.now();
    const [until] = await Promise.all([all, send()]);
    times.push(until - startedAt);
    await pause(20);
  }
  return times;
}

const folder = await mkdtemp(join(tmpdir(), 'roughmix-bench-'));
const program = await startProgram({ folder });
const bare = await bareServer();
try {
  const owner = await person(program.url, 'Olga');
  const people = [];
  for (let at = 0; at < Math.ceil(SOCKETS / A_PERSON); at += 1) people.push(await person(program.url, `Bench${at}`));
  const { projectId } = await aProject(owner, { viewers: people.map((who) => ({ who, access: 3 })) });
  const postComment = () => owner.must('POST', '/api/comments', { projectId, submission: { content: 'The doubles drag a little behind the beat here' } });
  const before = { program: memory(program.pid), bare: memory(bare.child.pid) };
  const ours = new Counter();
  const theirs = new Counter();
  const sockets = await open(program.url, (at) => ({ token: people[Math.floor(at / A_PERSON)].token, joins: projectId, onMessage: ours.onMessage }));
  sockets.push(...(await open(bare.url, () => ({ onMessage: theirs.onMessage }))));
  const after = { program: memory(program.pid), bare: memory(bare.child.pid) };
  const first = ours.all();
  await postComment();
  await first;
  const [, payload] = JSON.parse(ours.packet.slice(2));
  const trigger = new Client(bare.url);
  const emit = () => trigger.must('POST', '/', { payload });
  const rounds = { program: [], bare: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.program.push(figures(await timesOf(postComment, ours)));
    rounds.bare.push(figures(await timesOf(emit, theirs)));
  }
  for (const [side, each] of Object.entries(rounds)) {
    const of = (name) => each.map((figure) => figure[name]);
    const spread = (name) => `${median(of(name)).toFixed(1)} ms (${Math.min(...of(name)).toFixed(1)} to ${Math.max(...of(name)).toFixed(1)})`;
    console.log(
      `${side.padEnd(8)} sent to last received: p50 ${spread('p50')}, p99 ${spread('p99')}; memory ${before[side]} MB, with ${SOCKETS} sockets ${after[side]} MB`,
    );
  }
  const ratio = (name) => (median(rounds.program.map((figure) => figure[name])) / median(rounds.bare.map((figure) => figure[name]))).toFixed(2);
  console.log(
    `ratio p50 ${ratio('p50')}, p99 ${ratio('p99')} (bar: p99 at most 2.00); ${ROUNDS} rounds of ${EACH} in turns, ${SOCKETS} sockets each, ${ours.packet.length} characters per message`,
  );
  for (const each of sockets) each.terminate();
} finally {
  bare.child.kill();
  await program.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
