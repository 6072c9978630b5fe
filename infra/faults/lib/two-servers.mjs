// Checks that two servers on the same stores behave like one.
import { setTimeout as pause } from 'node:timers/promises';
import { Client, isHasty } from './client.mjs';
import { ADMIN_KEY } from './program.mjs';
import { listen } from './socket.mjs';
import { aProject, PASSWORD, pageOf, person, until, upload } from './studio.mjs';

const SESSION_ENDS_MS = 5_000;
/** Timeout for messages between servers: not a promise, but ample for a busy machine. */
const RECEIVED_MS = 15_000;
const nth = (list, at) => list[at % list.length];
const quantile = (values, share) => values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0;

/** The number of users present according to a socket's last presence message. */
export const presenceCount = ({ received }) => received.findLast(({ channel }) => channel === 'currentUsers')?.body.users.length ?? 0;

/** The same user on each server. */
export const onEach = (who, urls) => urls.map((url) => who.at(url));

/** Writes on one server are readable on the other at once, pushed there soon, and presence is known on both. */
export async function readAndHeard({ urls, owner, member, projectId, rounds, wrong, count, print }) {
  const sockets = await Promise.all([listen(owner.at(urls[0])), listen(member.at(urls[1]))]);
  for (const socket of sockets) {
    await socket.ask('login');
    await socket.join(projectId);
  }
  const receivedAfter = [];
  for (let round = 0; round < rounds; round += 1) {
    const [writer, reader] = [owner.at(nth(urls, round)), member.at(nth(urls, round + 1))];
    const begun = performance.now();
    const { newComment } = await writer.must('POST', '/api/comments', { projectId, submission: { content: `Over there ${round}` } });
    const page = await pageOf(reader, projectId);
    if (!page.comments.some(({ _id }) => _id === newComment._id)) wrong(`a write on one server is missing on the other's page (round ${round})`);
    const hears = ({ received }) => received.find(({ body }) => body.view?._id === newComment._id);
    await until('both have received it', () => sockets.every(hears), RECEIVED_MS).catch(({ message }) => wrong(message));
    receivedAfter.push(...sockets.flatMap((socket) => (hears(socket) === undefined ? [] : [hears(socket).at - begun])));
  }
  await until('each sees the other', () => sockets.every((socket) => presenceCount(socket) === 2), RECEIVED_MS).catch(({ message }) =>
    wrong(`presence: ${message}`),
  );
  count('writes read and received on both', rounds);
  print(`received after p50 ${quantile(receivedAfter, 0.5).toFixed(0)} ms, p95 ${quantile(receivedAfter, 0.95).toFixed(0)} ms`);
  for (const socket of sockets) socket.close();
}

/** Commands sent repeatedly under one key, and the id in their answer. */
const KINDS = {
  comment: { path: '/api/comments', body: ({ projectId }) => ({ projectId, submission: { content: 'Once' } }), id: ({ newComment }) => newComment._id },
  project: { path: '/api/projects/newProject', body: () => ({ submission: { projectName: 'Once' } }), id: ({ newProject }) => newProject._id },
  version: {
    path: '/api/media',
    body: ({ projectId, uploadId }) => ({ submission: { projectId, uploadId, tinySummary: 'Once' } }),
    id: ({ versionId }) => versionId,
  },
};

/** A command sent repeatedly under one key to both servers is executed once with equal answers, and another body is refused. */
export async function actsOnce({ urls, owner, projectId, kind, key, times, wrong, count }) {
  const uploadId = kind === 'version' ? await upload(owner, projectId) : null;
  const { path, body, id } = KINDS[kind];
  const asked = body({ projectId, uploadId });
  const both = onEach(owner, urls);
  const answers = await Promise.all(Array.from({ length: times }, (_, at) => nth(both, at).insist('POST', path, asked, { key })));
  const outcomes = answers.map(({ status, headers, body: answer }) =>
    status === 201 ? `${id(answer)} at ${headers['x-position']}` : `${status} ${answer?.code ?? ''}`,
  );
  if (new Set(outcomes).size > 1) wrong(`one ${kind} got different answers: ${[...new Set(outcomes)].join('; ')}`);
  const firsts = answers.filter(({ status, headers }) => status === 201 && headers['idempotent-replayed'] === undefined).length;
  // The one that was executed may have been deferred; its retry is then marked as a replay too.
  const wasDeferred = answers.some(({ deferred }) => deferred.length > 0);
  if (firsts > 1 || (firsts === 0 && !wasDeferred)) wrong(`${firsts} of ${times} requests for one ${kind} were not marked as replays`);
  for (const who of both) {
    const { status } = await who.insist('POST', path, { ...asked, user: 'other' }, { key });
    if (status !== 422) wrong(`the key of a ${kind} with another body: ${status}`);
  }
  count('keys sent repeatedly to both');
}

/** A user is registered on both servers at once: one account, and each answer is that account or says that the address is taken. */
export async function registeredOnce({ urls, wrong }) {
  const wish = { email: 'twin.fault@example.org', password: PASSWORD, firstName: 'Twin', lastName: 'Fault' };
  const add = (url) => new Client(url).insist('POST', `/api/admin/${ADMIN_KEY}/users/addUser`, wish);
  const answers = await Promise.all([...urls, ...urls].map(add));
  const uids = new Set(answers.flatMap(({ status, body }) => (status === 201 ? [body.user.uid] : [])));
  const others = answers.filter(({ status, body }) => status !== 201 && body?.code !== 'user.email-taken');
  if (uids.size !== 1 || others.length > 0)
    wrong(`registered on both at once: ${answers.map(({ status, body }) => `${status} ${body?.code ?? body?.user?.uid}`).join('; ')}`);
}

/** Concurrent wrong passwords for one account on both servers: together they check no more than one server would. */
export async function guessed({ urls, who, times, allowed, wrong, count }) {
  const guess = (url, password) => new Client(url).call('POST', '/api/auth/login', { email: who.email, password });
  const answers = await Promise.all(Array.from({ length: times }, (_, at) => guess(nth(urls, at), `not-the-one-${at}`)));
  const looked = answers.filter(({ status }) => status === 401).length;
  if (looked !== allowed || answers.some(({ status }) => status !== 401 && status !== 429)) {
    wrong(`of ${times} guesses on both ${looked} were checked, not ${allowed} (${[...new Set(answers.map(({ status }) => status))].join(' ')})`);
  }
  for (const url of urls) {
    const { status } = await guess(url, PASSWORD);
    if (status !== 429) wrong(`after that the right password was answered ${status}`);
  }
  count('passwords guessed', times);
}

/** Signing out on one server ends the session and its sockets on the other. */
export async function signedOut({ urls, who, wrong, print }) {
  const [here, there] = onEach(who, urls);
  const socket = await listen(there);
  await there.must('GET', '/api/projects/' + who.uid);
  const begun = performance.now();
  await here.must('POST', '/api/auth/logout', {});
  await socket.disconnected(SESSION_ENDS_MS + 2_000).catch(() => undefined); // reported below
  const milliseconds = Math.round(performance.now() - begun);
  if (socket.socket.connected || milliseconds > SESSION_ENDS_MS) wrong(`signed out on one server, a socket on the other lived ${milliseconds} ms more`);
  const { status } = await there.call('GET', '/api/projects/' + who.uid);
  if (status !== 401) wrong(`signed out on one server, a call on the other was answered ${status}`);
  socket.close();
  print(`signed out on one, out of the other after ${milliseconds} ms`);
}

const isAmongUs = ({ body }) => body.view?.content === 'Among us';

/** A member removed on one server receives nothing more on the other, although they keep writing and listening there. */
export async function shutOut({ urls, owner, member, projectId, wrong, count }) {
  const [here, there] = [owner.at(urls[0]), member.at(urls[1])];
  const [socket, witness] = await Promise.all([listen(there), listen(owner.at(urls[1]))]);
  for (const each of [socket, witness]) await each.join(projectId);
  const answers = [];
  let outAt = Infinity;
  /** Until each has an answer to a command started after the removal. */
  const writing = Array.from({ length: 4 }, async () => {
    for (let begun = 0; begun <= outAt;) {
      begun = performance.now();
      const { status, headers } = await there.insist('POST', '/api/comments', { projectId, submission: { content: 'Still here' } });
      answers.push({ status, position: Number(headers['x-position'] ?? 0), begun });
    }
  });
  await pause(200);
  const { status, headers } = await here.insist('PUT', `/api/projects/${owner.uid}/editPermissions/${projectId}`, {
    permissionDiffs: [{ uid: member.uid, permissions: { comment: false, download: false }, write: false, removed: true }],
  });
  const removedAt = Number(headers['x-position']);
  outAt = performance.now();
  await here.must('POST', '/api/comments', { projectId, submission: { content: 'Among us' } });
  await Promise.all(writing);
  const after = answers.filter(({ begun }) => begun > outAt);
  if (!(removedAt > 0)) wrong(`a member could not be removed: ${status}`);
  if (answers.some(({ position }) => position > removedAt)) wrong('a comment of the removed member was stored after the removal on the other server');
  for (const each of after) if (each.status !== 404) wrong(`after their removal a comment was answered ${each.status}`);
  await until('the other server has sent it', () => witness.pushes(projectId).some(isAmongUs), RECEIVED_MS).catch(({ message }) => wrong(message));
  if ((await socket.join(projectId)).ok) wrong('the other server let the removed member join');
  const late = socket.pushes(projectId).filter((each) => each.body.position > removedAt || isAmongUs(each));
  if (late.length > 0) wrong(`the removed member received ${late.length} messages on the other server, such as ${JSON.stringify(late[0].body)}`);
  count('comments during a removal', answers.length);
  for (const each of [socket, witness]) each.close();
}

/** Many concurrent writers on one project on both servers: no command is deferred before its retry time, and deferred ones succeed later. */
export async function crowded({ urls, owner, projectId, writers, milliseconds, wrong, count, print }) {
  const both = onEach(owner, urls);
  const end = performance.now() + milliseconds;
  const took = [];
  const [sentAway, hasty] = [[], []];
  const one = async (at) => {
    while (performance.now() < end) {
      const answer = await nth(both, at).insist('POST', '/api/comments', { projectId, submission: { content: 'Together' } });
      took.push(answer.ms);
      sentAway.push(...answer.deferred);
      hasty.push(...answer.deferred.filter(isHasty));
      if (answer.status !== 201) wrong(`one of many writers was answered ${answer.status} ${answer.body?.code ?? answer.error} at last`);
    }
  };
  await Promise.all(Array.from({ length: urls.length * writers }, (_, at) => one(at)));
  if (hasty.length > 0) wrong(`of ${took.length} commands ${hasty.length} were deferred too soon: ${hasty[0].body?.code} after ${Math.round(hasty[0].ms)} ms`);
  count('commands on one project', took.length);
  print(
    `${urls.length} x ${writers} writers on one project: ${took.length} commands, ${sentAway.length} deferred, p50 ${quantile(took, 0.5).toFixed(0)} ms, p99 ${quantile(took, 0.99).toFixed(0)} ms`,
  );
}

/** A user is erased on one server: once it answers, nothing of them is left on the other, which had cached them and their project. */
export async function erasedEverywhere({ urls, owner, wrong, print }) {
  const eva = await person(urls[1], 'Erasmine');
  const { projectId } = await aProject(eva, { projectName: 'Hers alone' });
  const { projectId: shared } = await aProject(owner, { collaborators: [eva] });
  for (const url of urls) await eva.at(url).must('POST', '/api/comments', { projectId, submission: { content: 'Her words' } });
  const { newComment } = await eva.must('POST', '/api/comments', { projectId: shared, submission: { content: 'Her words among others' } });
  const begun = performance.now();
  const { removedProjects } = await new Client(urls[0]).must('POST', `/api/admin/${ADMIN_KEY}/users/erase`, { user: eva.uid });
  print(`erased everywhere after ${Math.round(performance.now() - begun)} ms`);
  if (!removedProjects.includes(projectId)) wrong('a project of the erased user still exists');
  for (const url of urls) {
    const text = JSON.stringify(await pageOf(owner.at(url), shared));
    if (/Erasmine/i.test(text)) wrong(`the erased user is named on ${url === urls[0] ? 'the same' : 'the other'} server`);
    const { status } = await owner.at(url).call('GET', `/api/comments/${newComment._id}`);
    if (status >= 500) wrong(`a comment of the erased user was answered ${status}`);
    const mine = await eva.at(url).call('GET', `/api/projects/${eva.uid}`);
    if (mine.status !== 401) wrong(`the erased user was answered ${mine.status}`);
    const next = await owner.at(url).insist('POST', '/api/comments', { projectId: shared, submission: { content: 'Without her' } });
    if (next.status !== 201) wrong(`after an erasure a comment was answered ${next.status} ${next.body?.code}`);
  }
}
