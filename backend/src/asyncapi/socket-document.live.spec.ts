import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { Listening } from '../testing/listening.js';
import { addVersion, analysed, aProjectWith, diff, editPermissions, invite, region, reply, type StandingProject } from '../testing/project-over-http.js';
import type { TestSocket } from '../testing/test-socket.js';
import { socketDocument } from './socket-document.js';

const listening = new Listening();
const document = socketDocument();
let app: TestApp;
let ana: Person;
let bob: Person;
let uma: Person;
let standing: StandingProject;
let owner: TestSocket;
let visitor: TestSocket;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, uma] = await app.people('Ana', 'Bob', 'Uma');
  standing = await aProjectWith(ana, { viewers: [`${bob.uid}-3`], isPublic: true });
  await analysed(ana, standing.versionId);
  owner = await listening.socket(ana, standing.projectId);
  visitor = await listening.socket(uma, standing.projectId);
});
afterAll(() => listening.stop(app));

/** What is wrong with something said, by the message of this name; null when nothing is. */
function wrongWith(name: string, said: unknown): unknown {
  const payload = document.components.messages[name]?.payload;
  if (payload === undefined) return `there is no message ${name}`;
  const fits = new Ajv({ strict: false, validateFormats: false }).compile({ ...payload, components: { schemas: document.components.schemas } });
  return fits(said) ? null : { name, said, errors: fits.errors };
}

test('what is acknowledged is acknowledged as the document says', async () => {
  expect(wrongWith('Joined', await owner.join(standing.projectId))).toBeNull();
  expect(wrongWith('Joined', await owner.join('nothing'))).toBeNull();
  expect(wrongWith('Done', await owner.ask('login'))).toBeNull();
  expect(wrongWith('Done', await owner.ask('left-project', { projectId: 7 }))).toBeNull();
});

test('what is pushed is pushed as the document says, on the channel that it names', async () => {
  const { projectId } = standing;
  const drawn = await region(ana, standing);
  await ana.put(`/api/regions/${drawn._id}`, { submission: { end: 1.5 } });
  const commented = await bob.post('/api/comments', { projectId, submission: { content: 'here', taggedRegions: [{ _id: drawn._id }] } });
  const { newComment } = commented.body as { newComment: { _id: string } };
  await reply(ana, projectId, newComment._id);
  await bob.put(`/api/comments/${newComment._id}/rating`, { projectId, type: 'likes', on: true });
  await bob.post(`/api/comments/${newComment._id}`, { projectId });
  await ana.post(`/api/regions/${drawn._id}`, { projectId });
  await addVersion(ana, projectId);
  await invite(ana, projectId, [`${uma.uid}-1`]);
  await editPermissions(ana, projectId, [diff(uma.uid, 3)]);
  const submission = { projectName: 'Other', description: 'Words', completed: true };
  await ana.put(`/api/projects/${projectId}`, { submission });
  await ana.put(`/api/projects/${projectId}`, { submission: { visibility: 'private' } });
  await owner.until(({ body }) => body.type === 'ProjectVisibility');
  for (const { channel, body } of [...owner.heard, ...visitor.heard]) {
    const name = body.type ?? 'CurrentUsers';
    expect(Object.keys(document.channels[channel]?.messages ?? {})).toContain(name);
    expect(wrongWith(name, body)).toBeNull();
  }
  const heard = new Set(owner.heard.map(({ body }) => body.type));
  expect(heard.size).toBeGreaterThan(12);
});
