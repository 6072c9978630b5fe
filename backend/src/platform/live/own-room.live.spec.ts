import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Person, startApp, type TestApp } from '../../testing/app.js';
import { receivedDuring, TestSockets, channelsAndTypes } from '../../testing/test-sockets.js';
import { aProjectWith, comment, diff, editPermissions, invite, type CreatedProject } from '../../testing/project-over-http.js';
import { bodyOf } from '../../testing/test-client.js';
import { isAside, type ReceivedMessage, type TestSocket } from '../../testing/test-socket.js';

const listening = new TestSockets();
let app: TestApp;
let ana: Person;
let bob: Person;
let uma: Person;
let sharedProject: CreatedProject;
/** Receives every push, which shows what has been delivered. */
let witness: TestSocket;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, uma] = await app.people('Ana', 'Bob', 'Uma');
  sharedProject = await aProjectWith(ana);
  witness = await listening.socket(ana, sharedProject.projectId);
});
afterAll(() => listening.stop(app));

/** Connects and disconnects a person. @returns the position of their own room */
async function away(who: Person): Promise<number> {
  const left = await listening.socket(who);
  const answer = await left.ask('login');
  left.close();
  return answer.ok ? answer.position : -1;
}
/** Reconnects a person once everything so far has been delivered. @returns what they missed */
async function back(who: Person, from: object): Promise<{ readonly answer: object; readonly received: readonly ReceivedMessage[] }> {
  await receivedDuring(ana, sharedProject.projectId, [witness]);
  const again = await listening.socket(who);
  const answer = await again.ask('login', from);
  return { answer, received: again.received.filter((each) => !isAside(each)) };
}
const done = { ok: true, position: expect.any(Number), log: expect.stringMatching(/^[\w-]{16}$/) };

test('a person who returns gets the same pushes of invitations, permissions and ratings that they missed', async () => {
  const zoe = await app.person('Zoe', 'Own');
  const { projectId } = await aProjectWith(ana);
  const after = await away(zoe);
  bodyOf(await invite(ana, projectId, [`${zoe.uid}-1`]));
  bodyOf(await editPermissions(ana, projectId, [diff(zoe.uid, 3)]));
  const { _id } = await comment(zoe, projectId);
  await ana.put(`/api/comments/${_id}/rating`, { type: 'negs', on: true });
  const { answer, received } = await back(zoe, { after });
  expect(answer).toEqual(done);
  expect(channelsAndTypes(received)).toEqual(['projects ProjectUsersInvited', 'users UserEdited', 'projects ProjectPermissions', 'comments CommentRated']);
  expect(received.map(({ body }) => body)).toMatchObject([
    { uids: [zoe.uid], permissionLevel: { access: 3 } },
    { view: { uid: zoe.uid, connections: { [ana.uid]: expect.any(Number) } } },
    { uids: [zoe.uid], permissionLevel: { access: 3 } },
    { actorUid: null, commandId: null, view: { negCount: 1, negs: [] } },
  ]);
});

test('a person who was removed in the meantime gets the removal and nothing else of the project', async () => {
  const zoe = await app.person('Zoe', 'Removed');
  const { projectId } = await aProjectWith(ana, { viewers: [`${zoe.uid}-3`] });
  const { _id } = await comment(zoe, projectId);
  const after = await away(zoe);
  bodyOf(await editPermissions(ana, projectId, [diff(zoe.uid, 2)]));
  await ana.put(`/api/comments/${_id}/rating`, { type: 'negs', on: true });
  bodyOf(await editPermissions(ana, projectId, [diff(zoe.uid, 2, { removed: true })]));
  await ana.put(`/api/comments/${_id}/rating`, { type: 'negs', on: false });
  const { answer, received } = await back(zoe, { after });
  expect(answer).toEqual(done);
  expect(channelsAndTypes(received)).toEqual(['projects ProjectUsersRemoved']);
  expect(received[0]?.body).toMatchObject({ ids: [projectId], uids: [zoe.uid] });
  expect(received[0]?.body).not.toHaveProperty('view');
});

test('a person who left and was invited again has to reload', async () => {
  const zoe = await app.person('Zoe', 'Again');
  const { projectId } = await aProjectWith(ana, { viewers: [`${zoe.uid}-3`] });
  const after = await away(zoe);
  expect((await zoe.post(`/api/projects/${projectId}/leave`)).status).toBe(204);
  bodyOf(await invite(ana, projectId, [`${zoe.uid}-3`]));
  expect(await back(zoe, { after })).toEqual({ answer: { ...done, reload: true }, received: [] });
});

test("events in other people's projects are not replayed", async () => {
  const after = await away(uma);
  const { projectId } = await aProjectWith(ana, { viewers: [`${bob.uid}-3`] });
  await comment(bob, projectId);
  expect(await back(uma, { after })).toEqual({ answer: done, received: [] });
});

test('a client of another log, or with a position beyond the end of this one, has to reload', async () => {
  const after = await away(bob);
  expect(await back(bob, { after, log: 'another' })).toEqual({ answer: { ...done, reload: true }, received: [] });
  expect(await back(bob, { log: 'another' })).toEqual({ answer: { ...done, reload: true }, received: [] });
  expect(await back(bob, { after: Number.MAX_SAFE_INTEGER })).toEqual({ answer: { ...done, reload: true }, received: [] });
  const { answer } = await back(bob, {});
  expect(await back(bob, { after, log: (answer as { log: string }).log })).toMatchObject({ answer: done });
});

test.each([{ after: -1 }, { after: 1.5 }, { after: 'x' }, { after: null }, { after: 1, log: 7 }])('login %j is invalid', async (from) => {
  expect(await back(bob, from)).toMatchObject({ answer: { ok: false, problem: { status: 400, code: 'request.invalid' } } });
});

test('pushes go on after a catch-up, whether or not it had to reload', async () => {
  const his = await listening.socket(bob);
  for (const from of [{ after: await away(bob) }, { after: 0, log: 'another' }]) {
    expect(await his.ask('login', from)).toMatchObject({ ok: true });
    his.clear();
    const { projectId } = await aProjectWith(ana);
    bodyOf(await invite(ana, projectId, [`${bob.uid}-1`]));
    expect((await his.until(({ body }) => body.type === 'ProjectUsersInvited')).body.projectId).toBe(projectId);
  }
});

test('the guest has no room of their own, but still gets an ack', async () => {
  const guest = await app.guest();
  expect(await back(guest, { after: await away(guest) })).toEqual({ answer: done, received: [] });
});
