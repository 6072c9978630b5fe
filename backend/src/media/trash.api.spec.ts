import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CommentAddedAnswer } from '@roughmix/contracts/comments/comment.view.js';
import sharp from 'sharp';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { addVersion, analysed, aProjectWith, type CreatedProject, upload } from '../testing/project-over-http.js';
import { bodyOf } from '../testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let cleo: Person;

beforeAll(async () => {
  app = await startApp({ TRASH_DAYS: '0' });
  [ana, bob, cleo] = await app.people('Ana', 'Bob', 'Cleo');
});
afterAll(() => app.stop());

/** A project of Ana's in which Bob and Cleo may write too. */
async function shared(): Promise<CreatedProject> {
  const created = await aProjectWith(ana, { collaborators: [bob, cleo] });
  await analysed(ana, created.versionId);
  return created;
}

async function imageOf(who: Person, projectId: string): Promise<string> {
  const submission = { type: 'image', content: { filename: 'Pult.png' } };
  const id = bodyOf(await who.post<CommentAddedAnswer>('/api/comments', { projectId, submission })).newComment._id;
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const { uploadId } = await upload(who, bytes, { projectId, purpose: 'comment-image', commentId: id, filename: 'Pult.png' });
  bodyOf(await who.put(`/api/comments/${id}`, { projectId, submission: { content: { uploadId } } }));
  return id;
}

/** The files of a project, once the reactors have caught up. */
async function filesOf(projectId: string): Promise<readonly string[]> {
  await app.reactorsIdle();
  return (await app.blobs()).filter((path) => path.includes(projectId));
}

test('removing a version deletes its files, regardless of the uploader, and no others', async () => {
  const { projectId } = await shared();
  const before = await filesOf(projectId);
  expect(before.length).toBeGreaterThan(1);
  const { _id } = await addVersion(bob, projectId);
  await analysed(bob, _id);
  expect((await filesOf(projectId)).length).toBe(2 * before.length);
  bodyOf(await ana.post(`/api/media/${_id}`, { projectId }));
  expect(await filesOf(projectId)).toEqual(before);
});

test('removing a version during its analysis leaves no files behind', async () => {
  const { projectId } = await shared();
  const before = await filesOf(projectId);
  const { _id } = await addVersion(ana, projectId);
  bodyOf(await ana.post(`/api/media/${_id}`, { projectId }));
  expect(await filesOf(projectId)).toEqual(before);
});

test('removing a comment deletes its image', async () => {
  const { projectId } = await shared();
  const before = await filesOf(projectId);
  const id = await imageOf(bob, projectId);
  expect((await filesOf(projectId)).length).toBe(before.length + 1);
  bodyOf(await bob.post(`/api/comments/${id}`, { projectId }));
  expect(await filesOf(projectId)).toEqual(before);
});

test('removing a project deletes the files of all its members', async () => {
  const { projectId } = await shared();
  const { _id } = await addVersion(bob, projectId);
  await analysed(bob, _id);
  await imageOf(cleo, projectId);
  const owners = new Set((await filesOf(projectId)).map((path) => path.split('/')[0]));
  expect(owners).toEqual(new Set([ana.uid, bob.uid, cleo.uid]));
  bodyOf(await ana.post(`/api/projects/removeProject/${projectId}`));
  expect(await filesOf(projectId)).toEqual([]);
});
