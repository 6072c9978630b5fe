// Promise: a stream folds to the same state with and without its snapshot
// Breaks: a stream of 20,000 events, kill -9, deleted read models
// Gate: backend/src/platform/streams/snapshots.spec.ts "starts at the snapshot when the stream is cold, and gives the same state"
// Gate: backend/src/platform/streams/snapshots.spec.ts "a snapshot is stored on shutdown, so the next start reads little"
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { compareAll } from './lib/compare.mjs';
import { Ledger } from './lib/ledger.mjs';
import { foldBothWays, growProject, withStores } from './lib/long-project.mjs';
import { startProgram } from './lib/program.mjs';
import { aProject, person } from './lib/studio.mjs';

/** The snapshot plus later events must equal the fold of the whole stream. */
async function compareFolds(folder, projectId, { hasSnapshot, wrong, count }) {
  await withStores(folder, async (platform) => {
    const { keptAt, fromSnapshot, fromStart } = await foldBothWays(platform, projectId);
    if (hasSnapshot && keptAt === null) wrong('there is no snapshot of a long stream');
    if (!hasSnapshot && keptAt !== null) wrong(`a snapshot at ${keptAt} outlived the read models`);
    for (const name of ['state', 'revision', 'position', 'lastEventId', 'commands']) {
      if (!isDeepStrictEqual(fromSnapshot[name], fromStart[name])) wrong(`${name} folded from the snapshot at ${keptAt} differs from the whole stream's`);
    }
    count('events folded twice', fromStart.revision + 1);
  });
}

/** Commands on the long stream after a start must see the whole state. */
async function work(program, studio, { ledger, wrong }) {
  const [owner, other] = studio.people.map((who) => who.at(program.url));
  const { projectId } = studio;
  const body = { projectId, submission: { content: 'After all that' } };
  const { body: answer, status } = await ledger.send(other, { path: '/api/comments', body });
  if (status !== 201) wrong(`a command on a long stream: ${status}`);
  const rating = { projectId, type: 'likes', on: true };
  const rated = await ledger.send(owner, { method: 'PUT', path: `/api/comments/${answer?.newComment?._id}/rating`, body: rating });
  if (rated.status !== 200) wrong(`a rating on a long stream: ${rated.status}`);
  return [owner, other];
}

export const fault = {
  name: 'long-stream',
  async run({ random, short, folder, wrong, count }) {
    let program = await startProgram({ folder });
    const people = [await person(program.url, 'Ona'), await person(program.url, 'Wim')];
    const made = await aProject(people[0], { collaborators: [people[1]] });
    await program.stop();
    const studio = { ...made, people };
    const ledger = new Ledger();
    await withStores(folder, (platform) => growProject(platform, { ...made, uids: people.map(({ uid }) => uid), length: short ? 1_300 : 20_000, random }));
    await compareFolds(folder, made.projectId, { hasSnapshot: true, wrong, count });
    for (const ending of ['kill', 'stop']) {
      program = await startProgram({ folder });
      await work(program, studio, { ledger, wrong });
      await program[ending]();
      await compareFolds(folder, made.projectId, { hasSnapshot: true, wrong, count });
    }
    for (const name of ['read.db', 'read.db-wal', 'read.db-shm']) await rm(join(folder, name), { force: true });
    program = await startProgram({ folder });
    const finalPeople = await work(program, studio, { ledger, wrong });
    await compareAll({ folder, ledger, people: finalPeople, wrong, count });
    await program.stop();
    await compareFolds(folder, made.projectId, { hasSnapshot: true, wrong, count });
  },
};
