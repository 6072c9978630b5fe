import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CommentAddedAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { RegionAddedAnswer } from '@roughmix/contracts/regions/region.view.js';
import type { VersionAddedAnswer } from '@roughmix/contracts/versions/version.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { receivedDuring, TestSockets } from '../testing/test-sockets.js';
import { analysed, aProjectWith, diff, editPermissions, invite, smallWav, type CreatedProject, upload } from '../testing/project-over-http.js';
import type { Answer } from '../testing/test-client.js';
import type { ReceivedMessage, TestSocket } from '../testing/test-socket.js';
import { socketDocument } from './socket-document.js';

const PUSHED =
  'CurrentUsers RegionAdded RegionEdited RegionRemoved CommentAdded CommentReplyAdded CommentEdited CommentRated VersionAdded ProjectUsersInvited ProjectPermissions ProjectName ProjectDescription ProjectCompleted ProjectVisibility UserEdited'.split(
    ' ',
  );

const listening = new TestSockets();
const document = socketDocument();
let app: TestApp;
let ana: Person;
let bob: Person;
let uma: Person;
let created: CreatedProject;
let owner: TestSocket;
let visitor: TestSocket;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, uma] = await app.people('Ana', 'Bob', 'Uma');
  created = await aProjectWith(ana, { viewers: [`${bob.uid}-3`], isPublic: true });
  await analysed(ana, created.versionId);
  owner = await listening.socket(ana, created.projectId);
  visitor = await listening.socket(uma, created.projectId);
});
afterAll(() => listening.stop(app));

/** The schema errors of a message by its name; null if it is valid. */
function schemaErrors(name: string, message: unknown): unknown {
  const payload = document.components.messages[name]?.payload;
  if (payload === undefined) return `there is no message ${name}`;
  const fits = new Ajv({ strict: false, validateFormats: false }).compile({ ...payload, components: { schemas: document.components.schemas } });
  return fits(message) ? null : { name, message, errors: fits.errors };
}

test('acknowledgements match the document', async () => {
  expect(schemaErrors('Joined', await owner.join(created.projectId))).toBeNull();
  expect(schemaErrors('Joined', await owner.join('nothing'))).toBeNull();
  const loggedIn = await owner.ask('login');
  expect(schemaErrors('LoggedIn', loggedIn)).toBeNull();
  expect(schemaErrors('LoggedIn', await owner.ask('login', { after: loggedIn.ok ? loggedIn.position : -1 }))).toBeNull();
  expect(schemaErrors('LoggedIn', await owner.ask('login', { after: -1 }))).toBeNull();
  expect(schemaErrors('Done', await owner.ask('logout'))).toBeNull();
  expect(schemaErrors('Done', await owner.ask('left-project', { projectId: 7 }))).toBeNull();
});

test('pushes match the document and arrive on the documented channel', async () => {
  const { projectId } = created;
  await owner.until(({ channel }) => channel === 'currentUsers');
  const received: ReceivedMessage[] = [...owner.received, ...visitor.received];
  // One after the other, because a push shows a removed resource only as its id.
  const record = async <Body>(call: () => Promise<Answer<Body>>): Promise<Body> => {
    const { received: now, answer } = await receivedDuring(ana, projectId, [owner, visitor], call);
    received.push(...now.flat());
    return (answer as Answer<Body>).body;
  };
  const { newRegion } = await record(() =>
    ana.post<RegionAddedAnswer>('/api/regions', { projectId, submission: { versionId: created.versionId, start: 0, end: 1 } }),
  );
  await record(() => ana.put(`/api/regions/${newRegion._id}`, { submission: { end: 1.5 } }));
  const submission = { content: 'here', taggedRegions: [{ _id: newRegion._id }] };
  const { newComment } = await record(() => bob.post<CommentAddedAnswer>('/api/comments', { projectId, submission }));
  await record(() => ana.post(`/api/comments/${newComment._id}/reply`, { projectId, submission: { content: 'Yes' } }));
  await record(() => bob.put(`/api/comments/${newComment._id}`, { submission: { content: 'there' } }));
  await record(() => ana.put(`/api/comments/${newComment._id}/rating`, { projectId, type: 'likes', on: true }));
  await record(() => bob.post(`/api/comments/${newComment._id}`, { projectId }));
  await record(() => ana.post(`/api/regions/${newRegion._id}`, { projectId }));
  const { uploadId } = await upload(ana, smallWav(), { projectId });
  await record(() => ana.post<VersionAddedAnswer>('/api/media', { submission: { projectId, uploadId, tinySummary: 'x' } }));
  await record(() => invite(ana, projectId, [`${uma.uid}-1`]));
  await record(() => editPermissions(ana, projectId, [diff(uma.uid, 3)]));
  await record(() => ana.put(`/api/projects/${projectId}`, { submission: { projectName: 'Other', description: 'Words', completed: true } }));
  await record(() => ana.put(`/api/projects/${projectId}`, { submission: { visibility: 'private' } }));
  await record(() => ana.put(`/api/users/${ana.uid}`, { info: { about: 'Sings' } }));
  for (const { channel, body } of received) {
    const name = body.type ?? 'CurrentUsers';
    expect(Object.keys(document.channels[channel]?.messages ?? {})).toContain(name);
    expect(schemaErrors(name, body)).toBeNull();
  }
  expect(received.map(({ body }) => body.type ?? 'CurrentUsers')).toEqual(expect.arrayContaining(PUSHED));
});
