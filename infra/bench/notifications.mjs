// How fast a user with 10,000 notifications opens them beside one with 10, and what a project of 500 members costs a comment: its own answer, the answers of others meanwhile,
// and the time until the last member is notified. All in one run of the real program, in turns.
// Usage: node infra/bench/notifications.mjs [--notifications 10000] [--members 500] [--rounds 100]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from '../faults/lib/client.mjs';
import { ADMIN_KEY, startProgram } from '../faults/lib/program.mjs';
import { aProject, PASSWORD, person, until } from '../faults/lib/studio.mjs';
import { median } from './lib/backends.mjs';

const { values } = parseArgs({
  options: {
    notifications: { type: 'string', default: '10000' },
    members: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '100' },
  },
});
const [NOTIFICATIONS, MEMBERS, ROUNDS] = [values.notifications, values.members, values.rounds].map(Number);
/** Comments sent at once while notifications are prepared, and people invited at once. */
const AT_ONCE = 16;
const INVITED_AT_ONCE = 100;
const NOTIFIED_MS = 300_000;
/** Between fan-outs, so that each is measured by itself. */
const REST_MS = 100;

/** Without the project in the answer, which lists its members. */
const MINIMAL = { headers: { Prefer: 'return=minimal' } };
const comment = (who, projectId) => who.must('POST', '/api/comments', { projectId, submission: { content: 'Louder here' } }, MINIMAL);
const list = (who, query) => who.must('GET', `/api/notifications/${who.uid}?${query}`);

async function timed(work) {
  const begun = performance.now();
  const result = await work();
  return { milliseconds: performance.now() - begun, result };
}

/** Comments in a project of one other member until that one has so many notifications. */
async function notify(owner, member, count) {
  const { projectId } = await aProject(owner, { collaborators: [member] });
  for (let sent = 0; sent < count; sent += AT_ONCE) await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - sent) }, () => comment(owner, projectId)));
  // The welcome and the invitation count too.
  await until('everything is notified', async () => (await list(member, 'limit=1')).counts.other >= count + 2, NOTIFIED_MS);
}

/** A project of many members, none of whom is signed in. */
async function crowd(owner, last) {
  const admin = new Client(owner.url);
  const { projectId } = await aProject(owner);
  const uids = [];
  for (let at = 0; at < MEMBERS - 1; at += 1) {
    const account = { email: `member${at}@example.org`, password: PASSWORD, firstName: `Member${at}`, lastName: 'Bench' };
    uids.push((await admin.must('POST', `/api/admin/${ADMIN_KEY}/users/addUser`, account)).user.uid);
  }
  uids.push(last.uid);
  for (let at = 0; at < uids.length; at += INVITED_AT_ONCE) {
    const invitedUsers = uids.slice(at, at + INVITED_AT_ONCE).map((uid) => `${uid}-1`);
    await owner.must('PUT', `/api/projects/${owner.uid}/inviteUsers/${projectId}`, { invitedUsers, writeAccess: false });
  }
  return projectId;
}

async function measureOpening(url) {
  const [owner, few, many] = [await person(url, 'Ona', 'Bench'), await person(url, 'Few', 'Bench'), await person(url, 'Many', 'Bench')];
  await notify(owner, few, 10);
  await notify(owner, many, NOTIFICATIONS);
  const times = { few: [], many: [], fewUnread: [], manyUnread: [] };
  for (let round = -10; round < ROUNDS; round += 1) {
    const measured = {};
    for (const [name, who] of Object.entries({ few, many })) {
      measured[name] = (await timed(() => list(who, 'limit=10'))).milliseconds;
      measured[`${name}Unread`] = (await timed(() => list(who, 'limit=10&unread=true'))).milliseconds;
    }
    if (round >= 0) for (const [name, milliseconds] of Object.entries(measured)) times[name].push(milliseconds);
  }
  return times;
}

async function measureFanOut(url) {
  const [owner, other, last] = [await person(url, 'Pia', 'Bench'), await person(url, 'Quin', 'Bench'), await person(url, 'Last', 'Bench')];
  const [small, elsewhere, large] = [(await aProject(owner)).projectId, (await aProject(other)).projectId, await crowd(owner, last)];
  const counted = async () => (await list(last, 'limit=1')).counts.other;
  await until('everyone is invited', async () => (await counted()) >= 2, NOTIFIED_MS);
  const times = { small: [], large: [], calm: [], meanwhile: [], fanOut: [] };
  for (let round = -5; round < ROUNDS; round += 1) {
    await pause(REST_MS);
    const measured = { small: (await timed(() => comment(owner, small))).milliseconds, calm: (await timed(() => comment(other, elsewhere))).milliseconds };
    const before = await counted();
    const begun = performance.now();
    measured.large = (await timed(() => comment(owner, large))).milliseconds;
    measured.meanwhile = (await timed(() => comment(other, elsewhere))).milliseconds;
    while ((await counted()) === before) await pause(1);
    measured.fanOut = performance.now() - begun;
    if (round >= 0) for (const [name, milliseconds] of Object.entries(measured)) times[name].push(milliseconds);
  }
  return times;
}

const row = (what, times, base) => ({
  what,
  'median ms': Number(median(times).toFixed(2)),
  ...(base === undefined ? {} : { ratio: Number((median(times) / median(base)).toFixed(2)) }),
});

const folder = await mkdtemp(join(tmpdir(), 'roughmix-bench-'));
const program = await startProgram({ folder: join(folder, 'data') });
try {
  const opening = await measureOpening(program.url);
  const fanOut = await measureFanOut(program.url);
  console.table([
    row('open 10 of 10 notifications', opening.few),
    row(`open 10 of ${NOTIFICATIONS}`, opening.many, opening.few),
    row('open 10 unread of 10', opening.fewUnread),
    row(`open 10 unread of ${NOTIFICATIONS}`, opening.manyUnread, opening.fewUnread),
    row('a comment without other members', fanOut.small),
    row(`a comment that ${MEMBERS} members are notified of`, fanOut.large, fanOut.small),
    row("another person's comment, nothing else going on", fanOut.calm),
    row('the same right after that comment', fanOut.meanwhile, fanOut.calm),
    row(`from that comment until the last of ${MEMBERS} is notified`, fanOut.fanOut),
  ]);
} finally {
  await program.stop();
  await rm(folder, { recursive: true, force: true });
}
