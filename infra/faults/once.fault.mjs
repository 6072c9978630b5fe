// Promise: a repeated command is executed once, with equal answers
// Breaks: repeats twice, fifty times at once, among others, or after kill -9 before the answer
// Gate: backend/src/platform/streams/streams.spec.ts "acts once and answers the same, fifty at once and after a restart"
// Gate: backend/src/platform/streams/streams.spec.ts "a repeat of a command with several appends runs those that are missing"
// Gate: backend/src/projects/commands-twice.api.spec.ts "sent fifty times at once acts once"
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { disorder, readLog } from './lib/log-fold.mjs';
import { startProgram } from './lib/program.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { loading } from './lib/read-models.mjs';
import { aProject, person, until, upload } from './lib/studio.mjs';

/** The repeated commands: how to send them, the id in their answers, the events they leave, and in how many appends (each its own by default). */
const COMMANDS = {
  comment: { path: () => '/api/comments', body: ({ projectId }) => ({ projectId, submission: { content: 'Louder' } }), id: ({ newComment }) => newComment._id },
  region: {
    path: () => '/api/regions',
    body: ({ projectId, versionId }) => ({ projectId, submission: { versionId, start: 0.1, end: 0.6 } }),
    id: ({ newRegion }) => newRegion._id,
  },
  child: {
    path: () => '/api/comments',
    body: ({ projectId, regionId }) => ({ projectId, submission: { content: 'Here', taggedRegions: [{ _id: regionId, end: 0.5 }] } }),
    id: ({ newComment }) => newComment._id,
    events: ['ChildRegionAdded', 'CommentAdded'],
    parts: 1,
  },
  todo: {
    path: () => '/api/todos',
    body: ({ projectId }) => ({ projectId, submission: { content: 'Tune the snare', dueDate: 8e15, reminder: { '1 hour before': 0 } } }),
    id: ({ newTodo }) => newTodo._id,
  },
  completion: {
    method: 'PUT',
    path: ({ todoId }) => `/api/todos/markComplete/${todoId}`,
    body: ({ projectId }) => ({ projectId }),
    id: ({ completedTodos }) => Object.keys(completedTodos)[0],
  },
  rating: {
    method: 'PUT',
    path: ({ commentId }) => `/api/comments/${commentId}/rating`,
    body: ({ projectId }) => ({ projectId, type: 'likes', on: true }),
    id: ({ updatedComment }) => updatedComment._id,
  },
  project: { path: () => '/api/projects/newProject', body: () => ({ submission: { projectName: 'Twice' } }), id: ({ newProject }) => newProject._id },
  version: {
    path: () => '/api/media',
    body: ({ projectId, uploadId }) => ({ submission: { projectId, uploadId, tinySummary: 'Louder' } }),
    id: ({ versionId }) => versionId,
  },
  notes: {
    by: 'owner',
    method: 'PUT',
    path: ({ projectId }) => `/api/projects/${projectId}`,
    body: () => ({ submission: { owner: { notes: { public: inserted('Ours. '), private: inserted('Mine. ') } } } }),
    id: ({ updatedProject }) => updatedProject._id,
    events: ['PublicNoteEdited', 'PrivateNoteEdited'],
  },
  collection: {
    by: 'owner',
    path: ({ owner }) => `/api/collections/${owner.uid}`,
    body: ({ projectId }) => ({ submission: { title: 'Twice', projects: [projectId] } }),
    id: ({ newCollection }) => newCollection._id,
  },
  dismissal: { method: 'PUT', path: () => '/api/notifications/dismissAll', body: () => ({ set: 'other' }), id: () => 'dismissed' },
  follow: {
    method: 'PUT',
    path: ({ writer, owner }) => `/api/users/${writer.uid}/connections/${owner.uid}`,
    body: () => ({}),
    id: ({ updatedUser }) => updatedUser.uid,
  },
};

/** An insertion based on the empty text, which merges with every other. */
const inserted = (text) => ({ at: 0, removed: 0, inserted: text, hash: createHash('sha256').digest('hex') });

async function aComment({ owner, projectId }) {
  const { newComment } = await owner.must('POST', '/api/comments', { projectId, submission: { content: 'Listen' } });
  return newComment._id;
}

/** Something that the writer can dismiss. */
async function notify(studio) {
  const commentId = await aComment(studio);
  const { writer } = studio;
  const isNotified = async () => {
    const { notifications } = await writer.must('GET', `/api/notifications/${writer.uid}`);
    return notifications.some(({ resourceId }) => resourceId === commentId);
  };
  await until('the writer is notified', isNotified);
}

async function aTodo({ owner, projectId }) {
  const { newTodo } = await owner.must('POST', '/api/todos', { projectId, submission: { content: 'Listen' } });
  return newTodo._id;
}

async function aRegion({ owner, projectId, versionId }) {
  const { newRegion } = await owner.must('POST', '/api/regions', { projectId, submission: { versionId, start: 0.1, end: 0.6 } });
  return newRegion._id;
}

/** Prepares a command; under one key always the same. */
async function prepare(studio, kind, round) {
  const uploadId = kind === 'version' ? await upload(studio.writer, studio.projectId) : null;
  const commentId = kind === 'rating' ? await aComment(studio) : null;
  const regionId = kind === 'child' ? await aRegion(studio) : null;
  const todoId = kind === 'completion' ? await aTodo(studio) : null;
  if (kind === 'dismissal') await notify(studio);
  // Connected by an invitation, or by an earlier round.
  if (kind === 'follow') await studio.writer.must('DELETE', `/api/users/${studio.writer.uid}/connections/${studio.owner.uid}`);
  const { method = 'POST', path, body, id, by = 'writer', events = [null], parts = events.length } = COMMANDS[kind];
  const facts = { ...studio, uploadId, commentId, todoId, regionId };
  return { kind, key: `${kind}-${round}`, method, path: path(facts), body: body(facts), id, by, parts, events: events.length };
}

/** Retries deferred commands too, because read models may lag. */
const send = (studio, { by, method, path, body, key }) => studio[by].insist(method, path, body, { key });

/** Answers to one command must have the same id and position, and all but the first must be marked as replays. */
function compareAnswers(command, answers, wrong) {
  const outcomes = answers.map(({ status, headers, body }) =>
    status < 300 && status > 0 ? `${command.id(body)} at ${headers['x-position']}` : `status ${status} ${body?.code ?? ''}`,
  );
  if (new Set(outcomes).size > 1) wrong(`${command.key} got different answers: ${[...new Set(outcomes)].join('; ')}`);
  if (answers.some(({ status }) => status >= 300)) wrong(`${command.key} was refused: ${outcomes.find((each) => each.startsWith('status'))}`);
}

/** Many concurrent repeats: one is executed, all answers are equal, and another body is refused. */
async function manyAtOnce(studio, { kind, round, times, wrong, count }) {
  const command = await prepare(studio, kind, round);
  const answers = await Promise.all(Array.from({ length: times }, () => send(studio, command)));
  compareAnswers(command, answers, wrong);
  const first = answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length;
  // The one that was executed may have been deferred; its retry is then marked as a replay too.
  const wasDeferred = answers.some(({ deferred }) => deferred.length > 0);
  if (first > command.parts || (first === 0 && !wasDeferred)) wrong(`${first} of ${times} requests with ${command.key} were not marked as replays`);
  const other = await send(studio, { ...command, body: { ...command.body, user: 'other' } });
  if (other.status !== 422) wrong(`${command.key} with another body: ${other.status}`);
  count('commands sent many times at once');
  return command;
}

/** Sends a command, kills the program at a random moment, and resends it until it is answered. */
async function acrossCrash(studio, { kind, round, random, wrong, count }) {
  const command = await prepare(studio, kind, round);
  const before = send(studio, command);
  await pause(between(random, 0, 25));
  await studio.program.kill();
  const cut = await before;
  await restart(studio);
  const answers = await sendTwice(studio, command, wrong);
  compareAnswers(command, cut.status === 0 ? answers : [cut, ...answers], wrong);
  count(cut.status === 0 ? 'kills before the answer' : 'kills after the answer');
  return command;
}

/** Kills the program when one command of each kind is in the log and none is answered. */
async function betweenAppendAndAnswer(studio, { wrong, count }) {
  const commands = [];
  for (const [at, kind] of Object.keys(COMMANDS).entries()) commands.push(await prepare({ ...studio, ...studio.others[at] }, kind, `held-${studio.starts}`));
  const sent = commands.map((command) => send(studio, command));
  const inLog = () => new Set(readLog(studio.folder).map(({ meta }) => meta.commandId));
  await until('all of them are in the log', () => commands.every(({ key }) => inLog().has(key)));
  await studio.program.kill();
  const cut = await Promise.all(sent);
  if (cut.some(({ status }) => status !== 0)) throw new Error(`answered although answers were held back: ${cut.map(({ status }) => status).join(' ')}`);
  await restart(studio);
  for (const command of commands) {
    const answers = await sendTwice(studio, command, wrong);
    // Of a command with several appends only the first is in the log: the repeat runs the rest.
    const isWhole = command.parts === 1;
    if (isWhole && answers[0].headers['idempotent-replayed'] !== 'true') wrong(`${command.key} was in the log, but its repeat is not marked as a replay`);
    compareAnswers(command, answers, wrong);
    count('commands killed between append and answer');
  }
  return commands;
}

/** Sends a command twice after a crash. */
async function sendTwice(studio, command, wrong) {
  const answers = [await send(studio, command), await send(studio, command)];
  if (!readLog(studio.folder).some(({ meta }) => meta.commandId === command.key)) wrong(`${command.key} was answered but is not in the log`);
  if (answers[1].headers['idempotent-replayed'] !== 'true') wrong(`a repeat of ${command.key} is not marked as a replay`);
  return answers;
}

/** Each program holds back only the answers for its own marker, so the next one answers the repeats. */
const start = ({ folder, starts }) => startProgram({ folder, nodeArgs: loading('hold-answers.mjs'), env: { HOLD_ANSWERS: `-held-${starts}` } });

async function restart(studio) {
  studio.starts += 1;
  await moveTo(studio, await start(studio));
}

async function moveTo(studio, program) {
  studio.program = program;
  studio.owner = studio.owner.at(program.url);
  studio.writer = studio.writer.at(program.url);
}

/** Different concurrent commands on one stream, each sent twice: each is executed once. */
async function onOneStream(studio, { round, wrong, count }) {
  const commands = await Promise.all(Array.from({ length: 25 }, (_, at) => prepare(studio, 'comment', `${round}-${at}`)));
  const answers = await Promise.all(commands.flatMap((command) => [send(studio, command), send(studio, command)]));
  commands.forEach((command, at) => compareAnswers(command, answers.slice(2 * at, 2 * at + 2), wrong));
  count('commands sent twice concurrently', commands.length);
  return commands;
}

export const fault = {
  name: 'once',
  async run({ random, short, folder, wrong, count }) {
    const studio = { folder, starts: 0 };
    studio.program = await start(studio);
    const { url } = studio.program;
    [studio.owner, studio.writer] = [await person(url, 'Ona'), await person(url, 'Wim')];
    Object.assign(studio, await aProject(studio.owner, { collaborators: [studio.writer] }));
    studio.others = [];
    for (const _ of Object.keys(COMMANDS)) studio.others.push(await aProject(studio.owner, { collaborators: [studio.writer] }));
    const kinds = Object.keys(COMMANDS);
    const commands = [];
    for (const kind of kinds) commands.push(await manyAtOnce(studio, { kind, round: 1_000, times: 50, wrong, count }));
    for (let round = 1; round <= (short ? 1 : 12); round += 1) {
      commands.push(...(await onOneStream(studio, { round, wrong, count })));
      commands.push(await acrossCrash(studio, { kind: oneOf(random, kinds), round, random, wrong, count }));
      if (short || round % 3 === 0) commands.push(...(await betweenAppendAndAnswer(studio, { wrong, count })));
    }
    await studio.program.stop();
    compareLog(readLog(folder), commands, wrong);
  },
};

function compareLog(events, commands, wrong) {
  for (const sentence of disorder(events)) wrong(sentence);
  for (const { key, events: expected } of commands) {
    const found = events.filter(({ meta }) => meta.commandId === key);
    if (found.length !== expected || new Set(found.map(({ type }) => type)).size !== expected)
      wrong(`${key} left ${found.length} events: ${found.map(({ type }) => type).join(' ')}`);
  }
}
