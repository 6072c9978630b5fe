import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { UPLOAD_NAMES } from '../testing/announced-uploads.js';
import { silentSecurityLog } from '../testing/silent-security-log.js';
import { readConfig } from '../platform/config/config.js';
import { Timers } from '../platform/timers/timers.js';
import { uploadKey, Uploads } from '../platform/uploads/uploads.js';
import { projectDecider, type ProjectCommand } from '../projects/project.decider.js';
import { ProjectStreams } from '../projects/project.streams.js';
import { UnfinishedProjects } from '../projects/unfinished-projects.queries.js';
import { slices } from '../slices.js';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { anAudioFile } from '../testing/project-history.js';
import type { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { pictureKey, UserStreams } from '../users/user.streams.js';
import { Sweeper } from './sweeper.js';
import { Trash } from './trash.js';

const HOUR_MS = 60 * 60_000;
const { key: _key, ...file } = anAudioFile({ filename: 'a.wav' });
let stores: TestStores;
let runner: ProjectionRunner;
let uploads: Uploads;
let streams: ProjectStreams;
let sweeper: Sweeper;
let users: UserStreams;
let trash: Trash;
let made = 0;

const run = (projectId: string, command: ProjectCommand) => {
  const commandId = `made-${(made += 1)}`;
  return streams.run({ actor: { uid: 'ana' }, at: stores.time.now, commandId, correlationId: commandId, causationId: null }, projectId, command);
};
const begin = (projectId: string) =>
  run(projectId, {
    type: 'CreateProject',
    data: { projectId, firstVersionId: `${projectId}-v1`, projectName: 'x', description: '', tinySummary: '', invited: [], message: '' },
  });
const addFirst = (projectId: string, uploadId: string) =>
  run(projectId, {
    type: 'AddVersion',
    data: { projectId, versionId: `${projectId}-v1`, uploadId, first: true, updateType: 'major', tinySummary: '', taggedUsers: [], file },
  });
const arrive = async (projectId: string): Promise<string> => {
  const facts = { uid: 'ana', purpose: 'version', projectId, versionId: `${projectId}-v1`, commentId: null, filename: 'a.wav', size: 4 } as const;
  const { uploadId } = await uploads.announce(facts);
  await stores.blobs.write(uploadKey(uploadId), Buffer.from('RIFF'));
  return uploadId;
};
const move = async (uploadId: string, projectId: string): Promise<string> => {
  const key = `ana/ProjectMediaFiles/${projectId}/${projectId}-v1/1_0-audio`;
  await uploads.moveTo(await uploads.findArrived(uploadId, { uid: 'ana', purpose: 'version', projectId }), key);
  return key;
};

beforeEach(async () => {
  stores = await openTestStores();
  const clock = () => stores.time.now;
  runner = stores.projections();
  await runner.start(slices.projectors);
  uploads = new Uploads(stores.vault, stores.blobs, clock, UPLOAD_NAMES);
  await uploads.declare();
  streams = new ProjectStreams(stores.streams(), runner.deps.readSide);
  users = new UserStreams(stores.streams(), runner.deps.readSide, silentSecurityLog(), clock);
  trash = new Trash(stores.vault, stores.blobs, readConfig({}), await Timers.open(stores.vault));
  await trash.declare();
  sweeper = new Sweeper(uploads, streams, users, new UnfinishedProjects(stores.reads), trash, clock, stores.log);
});
afterEach(async () => {
  await runner.stop();
  await stores.close();
});

test('an expired file that no event names is deleted; one that an event names stays', async () => {
  for (const projectId of ['named', 'moved']) await begin(projectId);
  const waiting = await arrive('named');
  const named = await arrive('named');
  const namedKey = await move(named, 'named');
  await addFirst('named', named);
  const moved = await arrive('moved');
  const movedKey = await move(moved, 'moved');
  const files = async () => (await stores.blobs.list('')).toSorted();
  await sweeper.sweep();
  expect(await files()).toEqual([movedKey, namedKey, uploadKey(waiting)].toSorted());
  stores.time.now += 2 * HOUR_MS;
  await sweeper.sweep();
  expect(await files()).toEqual([namedKey]);
  for (const uploadId of [waiting, named, moved]) expect(await uploads.exists(uploadId)).toBe(false);
  await sweeper.sweep();
  expect(await files()).toEqual([namedKey]);
});

test('a picture that the user has now stays; one from a command that crashed is deleted', async () => {
  await users.register({ uid: 'ana', username: 'Ana', firstName: 'Ana', lastName: 'Reyes', guest: false });
  const arrived = async (name: string): Promise<string> => {
    const { uploadId } = await uploads.announce({
      uid: 'ana',
      purpose: 'cover-photo',
      projectId: null,
      versionId: null,
      commentId: null,
      filename: 'a.png',
      size: 4,
    });
    await stores.blobs.write(uploadKey(uploadId), Buffer.from('made'));
    const upload = await uploads.findArrived(uploadId, { uid: 'ana', purpose: 'cover-photo', projectId: null });
    await uploads.recordMove(upload, pictureKey('ana', name));
    await stores.blobs.write(pictureKey('ana', name), Buffer.from('made'));
    return uploadId;
  };
  await arrived('now-cover.png');
  await arrived('lost-cover.png');
  const context = { actor: { uid: 'ana' }, at: 1, commandId: 'cover', correlationId: 'cover', causationId: null };
  await users.run(context, 'ana', { type: 'ChangeCover', data: { cover: { contentType: 'image/png', file: 'now-cover.png' } } });
  stores.time.now += 2 * HOUR_MS;
  await sweeper.sweep();
  expect(await stores.blobs.list('')).toEqual([pictureKey('ana', 'now-cover.png')]);
});

test('a file that an event names stays under the name that an earlier version gave it', async () => {
  await begin('named');
  const uploadId = await arrive('named');
  const key = 'ana/ProjectMediaFiles/named/named-v1/1_0-low tide.wav';
  await uploads.moveTo(await uploads.findArrived(uploadId, { uid: 'ana', purpose: 'version', projectId: 'named' }), key);
  await addFirst('named', uploadId);
  stores.time.now += 2 * HOUR_MS;
  expect(await sweeper.sweep()).toEqual({ uploads: 1, projects: 0, folders: 0, failed: 0 });
  expect(await stores.blobs.list('')).toEqual([key]);
});

test('a file caught in the middle of a move is deleted wherever it is', async () => {
  await begin('moved');
  for (const isThere of [false, true]) {
    const uploadId = await arrive('moved');
    const use = { uid: 'ana', purpose: 'version', projectId: 'moved' } as const;
    await move(uploadId, 'moved');
    const upload = await uploads.findArrived(uploadId, use);
    const next = `ana/ProjectMediaFiles/moved/moved-v1/1_1-audio`;
    await (isThere ? uploads.moveTo(upload, next) : uploads.recordMove(upload, next));
    expect(await stores.blobs.list('')).toHaveLength(1);
    stores.time.now += 2 * HOUR_MS;
    expect(await sweeper.sweep()).toEqual({ uploads: 1, projects: 0, folders: 0, failed: 0 });
    expect(await stores.blobs.list('')).toEqual([]);
  }
});

test('an item that cannot be swept does not block the others and is retried', async () => {
  const uploadIds: string[] = [];
  for (const projectId of ['broken', 'whole']) {
    await begin(projectId);
    uploadIds.push(await arrive(projectId));
    await move(uploadIds.at(-1) ?? '', projectId);
  }
  const [event] = await stores.store.readStream(projectStream('broken'));
  if (event === undefined) throw new Error('no event');
  const { type, data, meta } = event;
  await stores.store.append(projectStream('broken'), 0, [{ id: '00000000-0000-4000-8000-000000000009', type, data, meta }]);
  stores.time.now += 2 * HOUR_MS;
  expect(await sweeper.sweep()).toEqual({ uploads: 1, projects: 0, folders: 0, failed: 1 });
  expect(await sweeper.sweep()).toEqual({ uploads: 0, projects: 0, folders: 0, failed: 1 });
  expect(await stores.blobs.list('')).toEqual(['ana/ProjectMediaFiles/broken/broken-v1/1_0-audio']);
  const logged = stores.logged.filter(({ message }) => message.startsWith('sweep failed')).map(({ facts }) => facts['thing']);
  expect(logged).toEqual([uploadIds[0], uploadIds[0]]);
});

test('while the program is stopped, unfinished uploads are deleted too', async () => {
  await arrive('begun');
  expect(await sweeper.sweep()).toMatchObject({ uploads: 0 });
  expect(await sweeper.sweep({ all: true })).toMatchObject({ uploads: 1, failed: 0 });
  expect(await stores.blobs.list('')).toEqual([]);
});

test('a file that arrived for a finished upload is deleted at once', async () => {
  await stores.blobs.write(uploadKey('nobody'), Buffer.from('RIFF'));
  await sweeper.sweep();
  expect(await stores.blobs.list('')).toEqual([]);
});

test('a project without a version is abandoned after a day, one with a version never', async () => {
  await begin('empty');
  await begin('full');
  await addFirst('full', 'u1');
  stores.time.now += 23 * HOUR_MS;
  await sweeper.sweep();
  const isRemoved = async (projectId: string) => (await stores.streams().state(projectDecider, projectStream(projectId))).removed;
  expect([await isRemoved('empty'), await isRemoved('full')]).toEqual([false, false]);
  stores.time.now += 2 * HOUR_MS;
  await sweeper.sweep();
  expect([await isRemoved('empty'), await isRemoved('full')]).toEqual([true, false]);
});

test('files in the trash are deleted after thirty days', async () => {
  await stores.blobs.write('ana/ProjectMediaFiles/p1/v1/1_0-audio', Buffer.from('RIFF'));
  await trash.put('ana/ProjectMediaFiles/p1/v1', stores.time.now, 1);
  stores.time.now += 30 * 24 * HOUR_MS - 1;
  await sweeper.sweep();
  expect(await stores.blobs.list('')).toEqual(['ana/ProjectMediaFiles/p1/v1/1_0-audio']);
  stores.time.now += 1;
  await sweeper.sweep();
  expect(await stores.blobs.list('')).toEqual([]);
});
