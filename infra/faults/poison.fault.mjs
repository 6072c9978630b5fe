// Promise: an event that cannot be read parks its stream, and everything else continues until a fixed program repairs it
// Breaks: an unknown event, a tampered text and a wrong key
// Gate: backend/src/platform/projections/projection-runner.spec.ts "with a tampered text parks its stream for the projectors that handle it"
// Gate: backend/src/platform/projections/repairs.spec.ts "a stream parked by an old program for an unknown event is complete once a program that knows the event has started"
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { EmbeddedEventStore } from '../../backend/dist/platform/event-store/embedded-event-store.js';
import { EmbeddedVault } from '../../backend/dist/platform/vault/embedded-vault.js';
import { operate, startProgram } from './lib/program.mjs';
import { loading, projectionsOf, quiet, reactorsOf, stopQuietly } from './lib/read-models.mjs';
import { aProject, pageOf, person, until } from './lib/studio.mjs';
import { appendNext } from '../../backend/dist/testing/append-next.js';

const KEYS = 'data-keys';
const stream = ({ projectId }) => `project-${projectId}`;
const addComment = (who, { projectId }, content) => who.call('POST', '/api/comments', { projectId, submission: { content } });

/** Corrupts a stopped program's data: an event of an unknown type, a sealed text moved from another event, and a wrong key. @returns the true key */
async function spoil(data, { unknown, forged, locked }) {
  const log = await EmbeddedEventStore.open({ file: join(data, 'log.db') });
  const meta = { actorUid: null, at: Date.now(), commandId: randomUUID(), correlationId: randomUUID(), causationId: null };
  await appendNext(log, stream(unknown), [{ id: randomUUID(), type: 'ProjectSungAloud', data: { verse: 1 }, meta }]);
  const comment = (await log.readStream(stream(forged))).findLast(({ type }) => type === 'CommentAdded');
  await appendNext(log, stream(forged), [{ id: randomUUID(), type: 'CommentAdded', data: { ...comment.data, commentId: 'forged' }, meta }]);
  await log.close();
  return withVault(data, async (vault) => {
    const { body } = await vault.get(KEYS, stream(locked));
    await vault.put(KEYS, stream(locked), { wrapped: Buffer.alloc(60, 7).toString('base64url') });
    return body;
  });
}

async function withVault(data, work) {
  const vault = await EmbeddedVault.open({ file: join(data, 'vault.db') });
  try {
    await vault.declare({ name: KEYS });
    return await work(vault);
  } finally {
    await vault.close();
  }
}

/** A projector's parked streams and the reasons. */
const parkedFor = (projections, name) =>
  new Map(projections.find(({ projector }) => projector === name).parkedStreams.map((each) => [each.stream, each.reason]));

async function expectParked(program, expected, wrong) {
  const parked = parkedFor(await projectionsOf(program), 'comments');
  const isSame = parked.size === expected.length && expected.every(([name, reason]) => parked.get(name) === reason);
  if (!isSame) wrong(`comments have parked ${JSON.stringify([...parked])}, not ${JSON.stringify(expected)}`);
}

async function expectAnswers({ owner, projects, refused, wrong, count }) {
  for (const [name, each] of Object.entries(projects)) {
    const { status, body } = await addComment(owner, each, `still here: ${name}`);
    const wanted = refused.includes(name) ? 503 : 201;
    if (status !== wanted) wrong(`a comment on the project '${name}' was answered ${status} ${JSON.stringify(body)}, not ${wanted}`);
    count('commands on parked and other streams');
    const page = await owner.call('GET', `/api/projects/${each.projectId}/visitor/${owner.uid}`);
    if (page.status !== 200) wrong(`the page of the project '${name}' was answered ${page.status}`);
  }
}

export const fault = {
  name: 'poison',
  async run(tools) {
    const { folder, print, wrong } = tools;
    const program = await startProgram({ folder });
    const owner = await person(program.url, 'Olga');
    const projects = {};
    for (const name of ['unknown', 'forged', 'locked', 'fine']) projects[name] = await aProject(owner, { projectName: name });
    for (const each of Object.values(projects)) for (let nth = 0; nth < 3; nth += 1) await addComment(owner, each, `word ${nth}`);
    await stopQuietly(program, wrong);
    const key = await spoil(folder, projects);
    await withSpoiled({ ...tools, projects, owner });
    print('parked and reported; the rest continues');
    await withVault(folder, (vault) => vault.put(KEYS, stream(projects.locked), key));
    await withFixed({ ...tools, projects, owner });
  },
};

/** The same program on corrupted data. */
async function withSpoiled({ folder, wrong, count, projects, owner: before }) {
  const program = await startProgram({ folder });
  const owner = before.at(program.url);
  await quiet(program);
  await expectParked(
    program,
    [
      [stream(projects.unknown), 'unknown-type'],
      [stream(projects.forged), 'sealed'],
    ],
    wrong,
  );
  await expectAnswers({ owner, projects, refused: ['unknown', 'forged', 'locked'], wrong, count });
  await stopQuietly(program, wrong);
  // Read models rebuilt with the wrong key park that stream from its first event on.
  const rebuilt = await operate(folder, ['projections', 'rebuild', '--all']);
  if (rebuilt.code !== 1 || !rebuilt.out.includes(stream(projects.locked))) wrong(`the rebuild with a wrong key ended with ${rebuilt.code}: ${rebuilt.out}`);
  count('streams parked', 3);
}

/** A program that knows the event type, with the right key. */
async function withFixed({ folder, wrong, count, projects, owner: before }) {
  const program = await startProgram({ folder, nodeArgs: loading('knows-new-event.mjs') });
  const owner = before.at(program.url);
  // Streams that have become readable are rebuilt automatically.
  const isRepaired = async () => (await projectionsOf(program)).every(({ rebuild, parkedStreams }) => rebuild === null && parkedStreams.length <= 1);
  await until('all readable streams are repaired', isRepaired, 60_000);
  await expectParked(program, [[stream(projects.forged), 'sealed']], wrong);
  const rebuild = await operate(folder, ['projections', 'rebuild', '--all'], { env: { PORT: String(program.port) } });
  if (rebuild.code !== 1 || /word \d/.test(rebuild.out)) wrong(`the rebuild ended with ${rebuild.code} and printed ${rebuild.out}`);
  await expectParked(program, [[stream(projects.forged), 'sealed']], wrong);
  await expectAnswers({ owner, projects, refused: ['forged'], wrong, count });
  const { project } = await pageOf(owner, projects.unknown.projectId);
  if (project.description !== 'sung aloud') wrong('the fixed program does not show what the event says');
  const { comments } = await pageOf(owner, projects.locked.projectId);
  if (comments.length !== 4) wrong(`the project whose key came back shows ${comments.length} comments, not 4`);
  if ((await reactorsOf(program)).some(({ lag }) => lag > 0)) wrong('a reactor did not continue');
  await stopQuietly(program, wrong);
  if (/word \d|still here/.test(program.output)) wrong('the program logged user texts');
}
