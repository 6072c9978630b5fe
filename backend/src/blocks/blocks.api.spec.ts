import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BLOCK_PATHS } from '@roughmix/contracts/blocks/block.paths.js';
import { PROFILE_PATHS } from '@roughmix/contracts/profiles/profile.paths.js';
import type { ConnectionsAnswer } from '@roughmix/contracts/profiles/profile.view.js';
import type { UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { UserAnswer, UsersAnswer } from '@roughmix/contracts/users/user.view.js';
import type { VersionAnswer } from '@roughmix/contracts/versions/version.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { notificationsOf } from '../testing/notification-calls.js';
import { aProjectWith, createProject, invite, smallWav, upload } from '../testing/project-over-http.js';
import { type Answer, bodyOf, statusAndCode } from '../testing/test-client.js';

let app: TestApp;
/** The blocked person. */
let ana: Person;
/** The blocker. */
let bob: Person;
let cleo: Person;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, cleo] = await app.people('Ana', 'Bob', 'Cleo');
});
afterAll(() => app.stop());
beforeEach(async () => {
  await unblock(bob, ana);
});

const block = (who: Person, other: { readonly uid: string }): Promise<Answer> => who.put(BLOCK_PATHS.one(who.uid, other.uid));
const unblock = (who: Person, other: { readonly uid: string }): Promise<Answer> => who.delete(BLOCK_PATHS.one(who.uid, other.uid));
const blockedBy = async (who: Person): Promise<readonly string[]> =>
  bodyOf(await who.get<UsersAnswer>(BLOCK_PATHS.list(who.uid))).users.map(({ username }) => username);
const selfOf = async (who: Person): Promise<UserAnswer['user']> => bodyOf(await who.get<UserAnswer>(USER_PATHS.self(who.uid))).user;
const membersIn = ({ updatedProject }: UpdatedProjectAnswer): readonly string[] => (updatedProject.addedUsers ?? []).map(({ uid }) => uid);
const invited = async (uids: readonly string[]): Promise<readonly string[]> => {
  const { projectId } = await aProjectWith(ana);
  const answer = await invite(ana, projectId, uids);
  expect(answer.status).toBe(200);
  return membersIn(bodyOf(answer as Answer<UpdatedProjectAnswer>));
};

describe('the list of blocked people', () => {
  test('is sorted by name, the session has it too, and blocking someone twice changes nothing', async () => {
    const first = await block(bob, cleo);
    expect([first.status, (await block(bob, ana)).status]).toEqual([204, 204]);
    const again = await block(bob, ana);
    expect([again.status, again.headers.get('x-position')]).toEqual([204, null]);
    expect(await blockedBy(bob)).toEqual(['Ana Tester', 'Cleo Tester']);
    expect((await selfOf(bob)).blocked).toEqual([cleo.uid, ana.uid]);
    expect([(await unblock(bob, cleo)).status, (await unblock(bob, cleo)).status, (await unblock(bob, ana)).status]).toEqual([204, 204, 204]);
    expect([await blockedBy(bob), (await selfOf(bob)).blocked]).toEqual([[], []]);
  });

  test('changes the position of its owner, but nothing that the blocked person sees', async () => {
    const before = [await selfOf(bob), await selfOf(ana)] as const;
    await block(bob, ana);
    expect((await selfOf(bob)).position).toBeGreaterThan(before[0].position);
    expect([await selfOf(ana), await blockedBy(ana)]).toEqual([before[1], []]);
  });

  test('accepts only other accounts', async () => {
    const guest = await app.guest();
    const refusals = [await block(bob, bob), await block(bob, guest), await block(bob, { uid: 'nobody' }), await unblock(bob, { uid: 'nobody' })];
    expect(refusals.map(statusAndCode)).toEqual(['400 block.self', '404 user.not-found', '404 user.not-found', '404 user.not-found']);
  });

  test('loses erased users, and is deleted with its owner', async () => {
    const dan = await app.person('Dan');
    await block(bob, dan);
    await block(dan, bob);
    bodyOf(await app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: dan.uid }));
    expect([await blockedBy(bob), (await selfOf(bob)).blocked, statusAndCode(await block(bob, dan))]).toEqual([[], [], '404 user.not-found']);
    expect(await invited([bob.uid])).toEqual([bob.uid]);
  });
});

describe('a blocked person', () => {
  test('cannot add the blocker to a project: the blocker is left out and not notified', async () => {
    const before = (await notificationsOf(bob)).notifications.length;
    await block(bob, ana);
    expect(await invited([bob.uid])).toEqual([]);
    expect(await invited([bob.uid, cleo.uid])).toEqual([cleo.uid]);
    expect((await notificationsOf(bob)).notifications).toHaveLength(before);
    await unblock(bob, ana);
    expect(await invited([bob.uid])).toEqual([bob.uid]);
  });

  test('cannot create a project with the blocker, or complete one that was created before the block', async () => {
    const before = bodyOf(await createProject(ana, { invitedUsers: [`${bob.uid}-1`, `${cleo.uid}-1`] }));
    await block(bob, ana);
    const membersOf = async ({ newProject: { _id: projectId }, versionId }: typeof before): Promise<readonly string[]> => {
      const { uploadId } = await upload(ana, smallWav(), { projectId });
      bodyOf(await ana.post('/api/media/newProject', { initialVersion: { projectId, versionId, uploadId } }));
      return membersIn(bodyOf(await ana.put<VersionAnswer>(`/api/projects/${projectId}/newVersion`, { versionId })));
    };
    expect(await membersOf(before)).toEqual([cleo.uid]);
    expect(await membersOf(bodyOf(await createProject(ana, { invitedUsers: [`${bob.uid}-1`] })))).toEqual([]);
  });

  test('keeps sharing the projects that both are in, and can still be invited by the blocker', async () => {
    const { projectId } = await aProjectWith(ana, { collaborators: [bob] });
    await block(bob, ana);
    expect((await bob.get(`/api/projects/${projectId}/visitor/${bob.uid}`)).status).toBe(200);
    const own = await aProjectWith(bob);
    expect(membersIn(bodyOf((await invite(bob, own.projectId, [ana.uid])) as Answer<UpdatedProjectAnswer>))).toEqual([ana.uid]);
  });

  test('does not find the blocker by search or among the connections to invite, whether hidden or not', async () => {
    await ana.put(PROFILE_PATHS.connection(ana.uid, bob.uid));
    const found = async (who: Person): Promise<readonly string[]> => bodyOf(await who.get<UsersAnswer>(USER_PATHS.search('bob'))).users.map(({ uid }) => uid);
    const suggested = async (who: Person): Promise<boolean> =>
      bodyOf(await who.get<ConnectionsAnswer>(PROFILE_PATHS.connections(ana.uid))).connections.some(({ uid }) => uid === bob.uid);
    expect([await found(ana), await suggested(ana)]).toEqual([[bob.uid], true]);
    await block(bob, ana);
    expect([await found(ana), await suggested(ana), await found(cleo), await suggested(cleo)]).toEqual([[], false, [bob.uid], true]);
    await bob.put(USER_PATHS.user(bob.uid), { settings: { profile: { hideFromSearch: true } } });
    expect(await found(ana)).toEqual([]);
  });
});
