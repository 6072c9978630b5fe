// Promise: whatever a hostile client sends, nothing breaks, leaks or changes
// Breaks: malformed requests on every route, random bytes, half-open connections, malformed packets
// Gate: backend/src/platform/http/malformed.api.spec.ts "a request smuggled behind another is never answered"
// Gate: backend/src/media/hostile-uploads.api.spec.ts "the program keeps running after all of this"
// Gate: backend/src/strangers.api.spec.ts
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './lib/client.mjs';
import { wrongIn, wrongInBytes } from './lib/hostile-answers.mjs';
import { oddPackets, stillAnswers } from './lib/hostile-packets.mjs';
import { halfOpen, oddHttpBytes, oddRequest, operationsOf, send, sendBytes } from './lib/hostile-requests.mjs';
import { ADMIN_KEY, startProgram } from './lib/program.mjs';
import { oneOf, seeded } from './lib/seeded.mjs';
import { aProject, pageOf, PASSWORD, person, reactorsDone, untilReady } from './lib/studio.mjs';

const AT_ONCE = 8;
/** The program's heap limit, so that a leak crashes it. */
const HEAP_MB = 256;
const MOST_MB = 640;
/** The longest timeout (a JSON body), with a margin for a busy machine. */
const HALF_OPEN_MS = 50_000;
const WORDS = 'planted-words-that-nobody-else-may-read';

/** A project closed to the attackers, one they may view, and one of their own. */
async function ground(url) {
  const [ana, eve, viewer] = await Promise.all(['Ana', 'Eve', 'Vic'].map((name) => person(url, name)));
  const closed = await aProject(ana, { projectName: WORDS, viewers: [{ who: viewer, access: 0 }] });
  const { newComment } = await ana.must('POST', '/api/comments', { projectId: closed.projectId, submission: { content: WORDS } });
  const { newRegion } = await ana.must('POST', '/api/regions', {
    projectId: closed.projectId,
    submission: { versionId: closed.versionId, start: 0, end: 0.5 },
  });
  const own = await aProject(eve);
  const guest = await new Client(url).call('POST', '/api/auth/guest', {});
  const guestToken = /roughmix_session=([^;]+)/.exec(String(guest.headers['set-cookie']))[1];
  const ids = [closed.projectId, closed.versionId, newComment._id, newRegion._id, own.projectId, own.versionId, ana.uid, eve.uid, guest.body.user.uid];
  return { ana, eve, viewer, closed, own, ids, attackers: attackersOf({ ana, eve, viewer, guestToken }) };
}

/** The attackers, with the secrets that their answers must not contain. */
const attackersOf = ({ ana, eve, viewer, guestToken }) => [
  { name: 'nobody', token: null, secrets: [WORDS, ana.token, PASSWORD, ADMIN_KEY] },
  { name: 'guest', token: guestToken, secrets: [WORDS, ana.token, PASSWORD, ADMIN_KEY] },
  { name: 'outsider', token: eve.token, secrets: [WORDS, ana.token, PASSWORD, ADMIN_KEY] },
  { name: 'viewer', token: viewer.token, secrets: [ana.token, PASSWORD, ADMIN_KEY] },
];

/** Runs `work` repeatedly, with some concurrency. */
async function often(times, work) {
  let left = times;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

const megabytesOf = async (program) => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${program.pid}/status`, 'utf8'))[1]) / 1_024;

/** Sent without a session, because they would end it or are allowed for viewers. */
const WITHOUT_SESSION = ['/api/auth/logout', '/api/auth/guest', '/api/auth/login', '/api/projects/{projectId}/leave'];

async function oddRequests({ program, random, at, times, wrong, count }) {
  const { body: document } = await new Client(program.url).call('GET', '/docs/openapi.json');
  const operations = operationsOf(document);
  const known = { ids: at.ids, schemas: document.components.schemas };
  const statuses = new Map();
  await often(times, async () => {
    const operation = oneOf(random, operations);
    const { name, token, secrets } = WITHOUT_SESSION.includes(operation.path) ? at.attackers[0] : oneOf(random, at.attackers);
    const asked = oddRequest(random, operation, known);
    const answer = await send(program.url, asked, token);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const problem = wrongIn(answer, secrets);
    if (problem !== null) wrong(`${name}: ${asked.method} ${asked.path.slice(0, 200)} ${JSON.stringify(asked.headers).slice(0, 200)}: ${problem}`);
  });
  count('odd requests', times);
  return [...statuses].toSorted(([a], [b]) => a - b).map(([status, n]) => `${status ?? 'unsendable'}: ${n}`);
}

/** Every read operation with every id in every parameter, by every attacker. */
async function aimedReads({ program, at, wrong, count }) {
  const { body: document } = await new Client(program.url).call('GET', '/docs/openapi.json');
  const paths = operationsOf(document).flatMap(({ path, method }) => (method === 'GET' ? pathsWith(path, at.ids) : []));
  const asked = at.attackers.filter(({ name }) => name !== 'viewer').flatMap((attacker) => paths.map((path) => ({ ...attacker, path })));
  count('aimed requests', asked.length);
  await often(asked.length, async () => {
    const { name, token, secrets, path } = asked.pop();
    const problem = wrongIn(await send(program.url, { method: 'GET', path, headers: {} }, token), secrets);
    if (problem !== null) wrong(`${name}: GET ${path}: ${problem}`);
  });
}

/** A path with each id in each of its parameters. */
function pathsWith(path, ids) {
  const place = /\{\w+\}/.exec(path)?.[0];
  return place === undefined ? [path] : ids.flatMap((id) => pathsWith(path.replace(place, id), ids));
}

async function oddConnections({ program, random, times, wrong, count }) {
  await often(times, async () => {
    const bytes = oddHttpBytes(random);
    const problem = wrongInBytes(await sendBytes(program.port, bytes));
    if (problem !== null) wrong(`${JSON.stringify(bytes.toString('latin1').slice(0, 200))}: ${problem}`);
  });
  count('connections with malformed bytes', times);
}

/** Unknown accounts must take as long to refuse as existing ones. Only a large difference counts, because the machine is shared. */
async function timing({ program, wrong, print }) {
  const client = new Client(program.url);
  const times = { known: [], unknown: [] };
  for (let round = 0; round < 15; round += 1) {
    for (const [what, email] of [
      ['known', 'ana.fault@example.org'],
      ['unknown', `nobody${round}@example.org`],
    ])
      times[what].push((await client.call('POST', '/api/auth/login', { email, password: 'not-the-right-one' })).ms);
  }
  const [known, unknown] = [times.known, times.unknown].map((list) => Math.min(...list));
  print(`a wrong password: ${known.toFixed(1)} ms for an account, ${unknown.toFixed(1)} ms for none (the fastest of 15)`);
  if (known / unknown > 2 || unknown / known > 2)
    wrong(`the response time reveals whether an account exists: ${known.toFixed(1)} and ${unknown.toFixed(1)} ms`);
}

/** Checks everything that must be unchanged after the attack. */
async function unharmed({ program, at, before, wrong }) {
  await untilReady(program).catch((error) => wrong(error.message));
  const after = JSON.stringify(await pageOf(at.ana, at.closed.projectId));
  if (after !== before) {
    const differs = Array.from(after, (_, index) => index).findIndex((index) => after[index] !== before[index]);
    wrong(
      `the attackers changed a project that is not theirs: …${before.slice(Math.max(0, differs - 80), differs + 80)} became …${after.slice(Math.max(0, differs - 80), differs + 80)}`,
    );
  }
  if (!(await stillAnswers(at.ana, at.closed.projectId))) wrong('a member can no longer join their project');
  const megabytes = await megabytesOf(program);
  if (megabytes > MOST_MB) wrong(`the program uses ${Math.round(megabytes)} MB`);
  return megabytes;
}

function readLog({ program, at, wrong }) {
  const lines = program.output.split('\n').filter((line) => line.startsWith('{'));
  for (const line of lines) if (JSON.parse(line).level >= 50) wrong(`an error in the log: ${line.slice(0, 500)}`);
  for (const secret of [ADMIN_KEY, PASSWORD, WORDS, at.ana.token, at.eve.token])
    if (program.output.includes(secret)) wrong(`the log contains ${secret.slice(0, 12)}…`);
}

/** Connections that fell silent at once, within their headers or within a body must be closed. */
async function endOfHalfOpen({ half, wrong }) {
  const what = ['no bytes', 'half of their headers', 'half of a body'];
  for (const until = Date.now() + HALF_OPEN_MS; Date.now() < until && what.some((_, kind) => half.open(kind) > 0);) await pause(200);
  for (const [kind, said] of what.entries()) if (half.open(kind) > 0) wrong(`${half.open(kind)} connections with ${said} are still open`);
}

export const fault = {
  name: 'attacks',
  async run({ random, short, folder, print, wrong, count }) {
    const env = { THROTTLE_ADMIN_KEYS: '1000000', THROTTLE_GUESTS: '1000000', LOG_LEVEL: 'info' };
    const program = await startProgram({ folder, env, nodeArgs: [`--max-old-space-size=${HEAP_MB}`] });
    const at = await ground(program.url);
    // An analysis that finished later would look like a change.
    await reactorsDone(at.ana);
    const before = JSON.stringify(await pageOf(at.ana, at.closed.projectId));
    const first = await megabytesOf(program);
    const half = halfOpen(program.port, short ? 90 : 450);
    const tools = { program, random, at, wrong, count };
    const statuses = await oddRequests({ ...tools, times: short ? 600 : 12_000 });
    print(`answers: ${statuses.join(', ')}`);
    await aimedReads(tools);
    await oddConnections({ ...tools, times: short ? 80 : 1_500 });
    count('odd packets', await oddPackets(seeded(random() * 2 ** 32), at.viewer, { ids: at.ids, count: short ? 200 : 3_000 }));
    await timing({ program, wrong, print });
    if (!short) await endOfHalfOpen({ half, wrong });
    const last = await unharmed({ ...tools, before });
    print(`memory: ${Math.round(first)} MB before, ${Math.round(last)} MB after`);
    half.end();
    readLog(tools);
    const { code } = await program.stop();
    if (code !== 0) wrong(`the program exited with ${code} after SIGTERM`);
  },
};
