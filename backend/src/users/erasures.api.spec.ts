import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NewCollectionAnswer } from '@roughmix/contracts/collections/collection.view.js';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { ProjectsAnswer } from '@roughmix/contracts/projects/project.view.js';
import { PUSH_PATHS } from '@roughmix/contracts/push/push.paths.js';
import type { PushSubscriptionAnswer } from '@roughmix/contracts/push/push.view.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import type { UserErasedAnswer, UsersAnswer } from '@roughmix/contracts/users/user.view.js';
import { PASSWORD, type Person, startApp, type TestApp } from '../testing/app.js';
import { TestSockets } from '../testing/test-sockets.js';
import { aProjectWith, comment, invite, type CreatedProject } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused } from '../testing/test-client.js';
import type { TestSocket } from '../testing/test-socket.js';

const NOTES = ['Lonelynotes', 'Alonenotes', 'Privatenotes', sha256('Privatenotes')];
/** At a push service that does not exist: what Zora is notified of waits. */
const SUBSCRIPTION = {
  endpoint: 'https://push.invalid/send/1',
  keys: { p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
};
const COLLECTIONS = ['Unsungalbum', 'Renamedalbum'];

let app: TestApp;
let listening: TestSockets;
let ana: Person;
let bob: Person;
let zora: Person;
let socket: TestSocket;
let alone: CreatedProject;
let shared: CreatedProject;
let bobs: CreatedProject;
let erased: Answer<UserErasedAnswer>;
let subscriptionId: string;

const erase = (user: string): Promise<Answer<UserErasedAnswer>> => app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user });
const page = async (who: Person, { projectId }: CreatedProject): Promise<ProjectPageAnswer['data']> =>
  bodyOf(await who.get<ProjectPageAnswer>(`/api/projects/${projectId}/visitor/${who.uid}`)).data;
const saveNotes = async (who: Person, { projectId }: CreatedProject, notes: object): Promise<void> =>
  void bodyOf(await who.put(`/api/projects/${projectId}`, { submission: { owner: { notes } } }));
const bytesOf = async (name: string): Promise<string> => (await readFile(join(app.folder, name))).toString('latin1');

beforeAll(async () => {
  app = await startApp();
  listening = new TestSockets();
  [ana, bob] = await app.people('Ana', 'Bob');
  zora = await app.person('Zorawhite', 'Quillfeather');
  alone = await aProjectWith(zora, { projectName: 'Unheardof tide', description: 'Privatewords' });
  await comment(zora, alone.projectId, { content: 'Lonelywords' });
  const { body } = await zora.post<PushSubscriptionAnswer>(PUSH_PATHS.subscriptions, SUBSCRIPTION);
  subscriptionId = body._id;
  shared = await aProjectWith(zora, { projectName: 'Shared tide', collaborators: [ana] });
  await saveNotes(zora, alone, { public: 'Lonelynotes', private: 'Alonenotes' });
  await saveNotes(zora, shared, { public: 'Notes for all', private: 'Privatenotes' });
  const [title, renamed] = COLLECTIONS;
  const { newCollection } = bodyOf(
    await zora.post<NewCollectionAnswer>(`/api/collections/${zora.uid}`, { submission: { title, projects: [alone.projectId] } }),
  );
  bodyOf(await zora.put(`/api/collections/${zora.uid}/${newCollection?._id}`, { title: renamed }));
  bobs = await aProjectWith(bob, { projectName: 'Bobs tide', collaborators: [zora, ana] });
  await comment(zora, bobs.projectId, { content: 'Said by one who goes' });
  await comment(bob, bobs.projectId, { content: '%MENTION_Zorawhite Quillfeather_END% louder' });
  socket = await listening.socket(zora, bobs.projectId);
  erased = await erase('zorawhite.quillfeather@example.org');
});
afterAll(() => listening.stop(app));

describe('an erased user', () => {
  test('is confirmed with the ids of removed and kept projects', () => {
    expect({ status: erased.status, body: { ...erased.body, keptProjects: erased.body.keptProjects.toSorted() } }).toEqual({
      status: 200,
      body: { erased: zora.uid, removedProjects: [alone.projectId], keptProjects: [shared.projectId, bobs.projectId].toSorted() },
    });
  });

  test('is signed out everywhere, and their sockets are closed', async () => {
    expectRefused(await zora.get(`/api/users/auth/${zora.uid}`), 'auth.required');
    await socket.disconnected();
    await expect(socket.ask('in-project', { projectId: bobs.projectId }, 200)).rejects.toThrow('operation has timed out');
    expectRefused(await app.anonymous.post('/api/auth/login', { email: 'zorawhite.quillfeather@example.org', password: PASSWORD }), 'auth.failed');
  });

  test('is shown as [removed user] where their contributions remain', async () => {
    const { project, comments } = await page(bob, bobs);
    expect(project.addedUsers?.map(({ username }) => username)).toEqual(['Ana Tester']);
    const names = comments.map((each) => (each.removed ? null : { by: each.user.username, content: each.content }));
    expect(names).toEqual([
      { by: '[removed user]', content: 'Said by one who goes' },
      { by: 'Bob Tester', content: '%MENTION_[removed user]_END% louder' },
    ]);
    expect(bodyOf(await ana.get<UsersAnswer>('/api/users/search?q=zora')).users).toEqual([]);
  });

  test('leaves shared projects to the other members', async () => {
    const { project } = await page(ana, shared);
    expect({ name: project.projectName, owner: project.owner.username }).toEqual({ name: 'Shared tide', owner: '[removed user]' });
    expect(project.owner.notes).toEqual({ public: 'Notes for all', hash: { public: sha256('Notes for all') } });
    expect((await comment(ana, shared.projectId, { content: 'Goes on' })).content).toBe('Goes on');
    expect(bodyOf(await ana.get<ProjectsAnswer>(`/api/projects/${ana.uid}`)).projects).toHaveLength(2);
  });

  test('can no longer be invited, and their address is free for a new account', async () => {
    expectRefused(await invite(bob, bobs.projectId, [zora.uid]), 'invite.unknown-user');
    const again = await app.person('Zorawhite', 'Quillfeather');
    expect(again.uid).not.toBe(zora.uid);
    expect(bodyOf(await erase(again.uid)).erased).toBe(again.uid);
  });

  test('is in the erasure list for restores exactly once, even if erased repeatedly', async () => {
    expect(bodyOf(await erase(zora.uid))).toEqual({ erased: zora.uid, removedProjects: [alone.projectId], keptProjects: [shared.projectId] });
    const lines = (await readFile(join(app.folder, 'erasures', 'erasures.ndjson'), 'utf8')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { uid: string }).uid).filter((uid) => uid === zora.uid)).toEqual([zora.uid]);
  });

  test('is in no file: neither names, nor the address, texts of their own projects, private notes or collections', async () => {
    for (const name of ['read.db', 'read.db-wal', 'vault.db', 'vault.db-wal', 'log.db', 'log.db-wal']) {
      const bytes = await bytesOf(name);
      expect([
        name,
        ['Zorawhite', 'Quillfeather', 'zorawhite', 'Unheardof', 'Privatewords', 'Lonelywords', ...NOTES, ...COLLECTIONS].filter((word) => bytes.includes(word)),
      ]).toEqual([name, []]);
    }
  });

  test('gets no push messages: neither the subscription nor a message is left', async () => {
    const bytes = `${await bytesOf('vault.db')}${await bytesOf('vault.db-wal')}`;
    expect([bytes.includes(subscriptionId), bytes.includes(`"waitsFor":"${zora.uid}"`)]).toEqual([false, false]);
  });

  test('stays erased when the read models are rebuilt', async () => {
    await app.restart(async () => {
      for (const file of ['read.db', 'read.db-wal', 'read.db-shm']) await rm(join(app.folder, file), { force: true });
    });
    bob = await app.signIn('bob.tester@example.org', 'Bob Tester');
    const [first] = (await page(bob, bobs)).comments;
    expect(first === undefined || first.removed ? null : first.user.username).toBe('[removed user]');
  });
});

test('the guest and unknown users cannot be erased', async () => {
  expectRefused(await erase((await app.guest()).uid), 'guest.read-only');
  expectRefused(await erase('nobody@example.org'), 'user.not-found');
  expectRefused(await erase('nobodyNobodyNobody1234'), 'user.not-found');
});
