import { setTimeout as pause } from 'node:timers/promises';
import { disorder, readLog } from './lib/log-fold.mjs';
import { startProgram } from './lib/program.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { aProject, person, upload } from './lib/studio.mjs';

/** The commands that are sent more than once: how, and the id that the answer names. */
const COMMANDS = {
  comment: { path: () => '/api/comments', body: ({ projectId }) => ({ projectId, submission: { content: 'Louder' } }), id: ({ newComment }) => newComment._id },
  region: {
    path: () => '/api/regions',
    body: ({ projectId, versionId }) => ({ projectId, submission: { versionId, start: 0.1, end: 0.6 } }),
    id: ({ newRegion }) => newRegion._id,
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
};

async function aComment({ owner, projectId }) {
  const { newComment } = await owner.must('POST', '/api/comments', { projectId, submission: { content: 'Listen' } });
  return newComment._id;
}

/** What is sent: under one key always the same. */
async function prepare(studio, kind, round) {
  const uploadId = kind === 'version' ? await upload(studio.writer, studio.projectId) : null;
  const commentId = kind === 'rating' ? await aComment(studio) : null;
  const { method = 'POST', path, body, id } = COMMANDS[kind];
  const facts = { ...studio, uploadId, commentId };
  return { kind, key: `${kind}-${round}`, method, path: path(facts), body: body(facts), id };
}

const send = (who, { method, path, body, key }) => who.call(method, path, body, { key });

/** Answers of one command must name the same thing at the same position, all but the first as replayed. */
function compareAnswers(command, answers, wrong) {
  const told = answers.map(({ status, headers, body }) =>
    status < 300 && status > 0 ? `${command.id(body)} at ${headers['x-position']}` : `status ${status} ${body?.code ?? ''}`,
  );
  if (new Set(told).size > 1) wrong(`${command.key} was answered in different ways: ${[...new Set(told)].join('; ')}`);
  if (answers.some(({ status }) => status >= 300)) wrong(`${command.key} was refused: ${told.find((each) => each.startsWith('status'))}`);
}

/** Many at once: one acts, all are answered alike, and another body is told apart. */
async function manyAtOnce(studio, { kind, round, times, wrong, count }) {
  const command = await prepare(studio, kind, round);
  const answers = await Promise.all(Array.from({ length: times }, () => send(studio.writer, command)));
  compareAnswers(command, answers, wrong);
  const first = answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length;
  if (first !== 1) wrong(`${first} of ${times} sendings of ${command.key} say that they were the first`);
  const other = await send(studio.writer, { ...command, body: { ...command.body, user: 'other' } });
  if (other.status !== 422) wrong(`${command.key} with another body: ${other.status}`);
  count('commands sent many times at once');
  return command;
}

/** Sent, the program killed in mid-answer, and sent again until it is answered. */
async function acrossCrash(studio, { kind, round, random, folder, wrong, count }) {
  const command = await prepare(studio, kind, round);
  const before = send(studio.writer, command);
  await pause(between(random, 0, 25));
  await studio.program.kill();
  const cut = await before;
  await moveTo(studio, await startProgram({ folder }));
  const answers = [await send(studio.writer, command), await send(studio.writer, command)];
  compareAnswers(command, cut.status === 0 ? answers : [cut, ...answers], wrong);
  const was = readLog(folder).filter(({ meta }) => meta.commandId === command.key).length;
  if (was === 0) wrong(`${command.key} was answered and is not there`);
  if (answers[1].headers['idempotent-replayed'] !== 'true') wrong(`${command.key} sent again does not say so`);
  count(cut.status === 0 ? 'kills before the answer' : 'kills after the answer');
  count('of them after the append', cut.status === 0 && answers[0].headers['idempotent-replayed'] === 'true' ? 1 : 0);
  return command;
}

async function moveTo(studio, program) {
  studio.program = program;
  studio.owner = studio.owner.at(program.url);
  studio.writer = studio.writer.at(program.url);
}

/** Different commands on one stream at once, each twice: all of them act, each once. */
async function onOneStream(studio, { round, wrong, count }) {
  const commands = await Promise.all(Array.from({ length: 25 }, (_, at) => prepare(studio, 'comment', `${round}-${at}`)));
  const answers = await Promise.all(commands.flatMap((command) => [send(studio.writer, command), send(studio.writer, command)]));
  commands.forEach((command, at) => compareAnswers(command, answers.slice(2 * at, 2 * at + 2), wrong));
  count('commands sent twice side by side', commands.length);
  return commands;
}

export const fault = {
  name: 'once',
  about: 'a command sent twice, fifty times at once, beside others, and again after kill -9 in mid-answer acts once and is answered alike',
  short: true,
  async run({ random, short, folder, wrong, count }) {
    const program = await startProgram({ folder });
    const [owner, writer] = [await person(program.url, 'Ona'), await person(program.url, 'Wim')];
    const { projectId, versionId } = await aProject(owner, { collaborators: [writer] });
    const studio = { program, owner, writer, projectId, versionId };
    const kinds = Object.keys(COMMANDS);
    const commands = [];
    for (const kind of kinds) commands.push(await manyAtOnce(studio, { kind, round: 1_000, times: 50, wrong, count }));
    for (let round = 1; round <= (short ? 1 : 20); round += 1) {
      commands.push(...(await onOneStream(studio, { round, wrong, count })));
      commands.push(await acrossCrash(studio, { kind: oneOf(random, kinds), round, random, folder, wrong, count }));
    }
    await studio.program.stop();
    compareLog(readLog(folder), commands, wrong);
  },
};

function compareLog(events, commands, wrong) {
  for (const sentence of disorder(events)) wrong(sentence);
  for (const { key } of commands) {
    const found = events.filter(({ meta }) => meta.commandId === key);
    if (found.length !== 1) wrong(`${key} left ${found.length} events: ${found.map(({ type }) => type).join(' ')}`);
  }
}
