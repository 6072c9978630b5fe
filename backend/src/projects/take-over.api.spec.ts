import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { ProjectAnswer, ProjectsAnswer, ProjectView, UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { aProjectWith, type CreatedProject, invite } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, statusAndCode } from '../testing/test-client.js';
import { TestSockets } from '../testing/test-sockets.js';

const listening = new TestSockets();
let app: TestApp;
let bob: Person;
let carl: Person;
let zoe: Person;

beforeAll(async () => {
  app = await startApp();
  [bob, carl, zoe] = (await app.people('Bob', 'Carl', 'Zoe')) as [Person, Person, Person];
});
afterAll(() => listening.stop(app));

const takeOver = (who: Person, projectId: string, headers = {}): Promise<Answer<UpdatedProjectAnswer>> =>
  who.post<UpdatedProjectAnswer>(`/api/projects/${projectId}/takeOver`, {}, headers);
const pageOf = async (who: Person, projectId: string): Promise<ProjectView> =>
  bodyOf(await who.get<ProjectPageAnswer>(`/api/projects/${projectId}/visitor/${who.uid}`)).data.project;

interface Orphan extends CreatedProject {
  readonly ownerUid: string;
}

/** A public project with notes whose owner was erased. */
async function orphan(name: string, collaborators: readonly Person[]): Promise<Orphan> {
  const owner = await app.person(name, 'Gone');
  const created = await aProjectWith(owner, { viewers: [`${carl.uid}-1`], collaborators, isPublic: true });
  bodyOf(await owner.put(`/api/projects/${created.projectId}`, { submission: { owner: { notes: { public: 'Ours', private: 'Mine' } } } }));
  bodyOf(await app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: owner.uid }));
  return { ...created, ownerUid: owner.uid };
}

test('a collaborator becomes the owner, with an empty private note; members, files and the public note stay', async () => {
  const { projectId, versionId, ownerUid } = await orphan('Olga', [bob]);
  expectRefused(await takeOver(carl, projectId), 'project.not-allowed');
  expectRefused(await takeOver(zoe, projectId), 'project.not-allowed');
  const hearing = [await listening.socket(carl, projectId), await listening.socket(bob)];
  const answer = await takeOver(bob, projectId, { 'Idempotency-Key': 'once' });
  const { updatedProject } = bodyOf(answer);
  expect([answer.status, updatedProject]).toMatchObject([
    200,
    {
      owner: { uid: bob.uid, notes: { public: 'Ours', private: '', hash: { public: sha256('Ours'), private: sha256('') } } },
      permissionLevel: { role: 'Owner', owner: true, write: true, access: null },
      userPermissions: { read: [`${carl.uid}-1`], write: [] },
      versionIds: [versionId],
    },
  ]);
  expect(updatedProject.addedUsers?.map(({ uid }) => uid)).toEqual([carl.uid]);
  const repeat = await takeOver(bob, projectId, { 'Idempotency-Key': 'once' });
  expect([repeat.status, repeat.headers.get('idempotent-replayed')]).toEqual([200, 'true']);

  for (const socket of hearing) await socket.until(({ body }) => body.type === 'ProjectPermissions');
  const [toRoom, toBob] = hearing.map(({ received }) => received.find(({ body }) => body.type === 'ProjectPermissions')?.body);
  expect(toRoom).toMatchObject({ uids: [bob.uid], actorUid: bob.uid, view: { owner: { uid: bob.uid } } });
  expect(toRoom).not.toHaveProperty('permissionLevel');
  expect(toBob).toMatchObject({ uids: [bob.uid], permissionLevel: { role: 'Owner' } });

  expectRefused(await bob.get(`/api/projects/${ownerUid}/${projectId}`), 'project.not-found');
  expect(bodyOf(await carl.get<ProjectAnswer>(`/api/projects/${bob.uid}/${projectId}`)).project.owner.uid).toBe(bob.uid);
  expect((await bob.raw('GET', `/api/media/${versionId}/audio`)).status).toBe(200);
  bodyOf(await invite(bob, projectId, [zoe.uid]));
  expectRefused(await takeOver(carl, projectId), 'project.has-owner');
});

test('a viewer becomes the owner while there is no collaborator', async () => {
  const { projectId } = await orphan('Pia', []);
  expectRefused(await takeOver(zoe, projectId), 'project.not-allowed');
  expect((await takeOver(carl, projectId)).status).toBe(200);
  expect(await pageOf(carl, projectId)).toMatchObject({ owner: { uid: carl.uid }, userPermissions: { read: [], write: [] }, addedUsers: [] });
  const { projects } = bodyOf(await carl.get<ProjectsAnswer>(`/api/projects/${carl.uid}`));
  expect(projects.find(({ _id }) => _id === projectId)?.permissionLevel?.role).toBe('Owner');
});

test('of six requests at once by two collaborators exactly one person becomes the owner', async () => {
  const { projectId } = await orphan('Quin', [bob, zoe]);
  const answers = await Promise.all([bob, zoe, bob, zoe, bob, zoe].map((who) => takeOver(who, projectId)));
  expect(answers.map(statusAndCode).toSorted()).toEqual(['200', ...Array.from({ length: 5 }, () => '409 project.has-owner')]);
  const winner = answers.findIndex(({ status }) => status === 200) % 2 === 0 ? bob : zoe;
  expect((await pageOf(carl, projectId)).owner.uid).toBe(winner.uid);
});

test('a project with an owner cannot be taken over, and outsiders and guests are always refused', async () => {
  const { projectId } = await aProjectWith(zoe, { viewers: [`${carl.uid}-1`] });
  expectRefused(await takeOver(carl, projectId), 'project.has-owner');
  expectRefused(await takeOver(zoe, projectId), 'project.has-owner');
  expectRefused(await takeOver(bob, projectId), 'project.not-found');
  expectRefused(await takeOver(await app.guest(), projectId), 'guest.read-only');
});
