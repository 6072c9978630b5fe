import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROFILE_PATHS } from '@roughmix/contracts/profiles/profile.paths.js';
import type { UpdatedUserAnswer } from '@roughmix/contracts/users/user.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { aProjectWith, invite } from '../testing/project-over-http.js';
import { type Answer, bodyOf } from '../testing/test-client.js';
import { receivedDuring, TestSockets } from '../testing/test-sockets.js';
import type { ReceivedMessage, TestSocket } from '../testing/test-socket.js';

const listening = new TestSockets();
let app: TestApp;
let ana: Person;
let bob: Person;
let cleo: Person;
let dan: Person;
/** Of someone else, whom they are not connected with: they hear its marks as visitors. */
let eve: Person;
let heard: string;
/** Ana's. */
let projectId: string;
let sockets: readonly TestSocket[];

beforeAll(async () => {
  app = await startApp();
  [ana, bob, cleo, dan, eve] = await app.people('Ana', 'Bob', 'Cleo', 'Dan', 'Eve');
  ({ projectId: heard } = await aProjectWith(eve, { isPublic: true }));
  ({ projectId } = await aProjectWith(ana));
  const opened: TestSocket[] = [];
  for (const who of [ana, bob, cleo]) opened.push(await listening.socket(who, heard));
  sockets = opened;
});
afterAll(() => listening.stop(app));

const usersIn = (received: readonly ReceivedMessage[] | undefined): readonly Record<string, unknown>[] =>
  (received ?? []).filter(({ channel }) => channel === 'users').map(({ body }) => body as unknown as Record<string, unknown>);
const follow = (who: Person, other: Person): Promise<Answer<UpdatedUserAnswer>> => who.put(PROFILE_PATHS.connection(who.uid, other.uid));
const erase = (who: Person): Promise<Answer> => app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: who.uid });

/** What Ana, Bob and Cleo receive about users during a call. */
async function pushed(call: () => Promise<Answer>) {
  const { received, answer } = await receivedDuring(eve, heard, [...sockets], call);
  if (answer === null) throw new Error('there was no call');
  return { received: received.map(usersIn), answer };
}

test("following is pushed to the follower's own sockets only", async () => {
  const { received, answer } = await pushed(() => follow(ana, bob));
  const view = (answer.body as UpdatedUserAnswer).updatedUser;
  const facts = { actorUid: ana.uid, commandId: answer.headers.get('x-command-id'), position: view.position };
  expect(received).toEqual([[{ type: 'UserEdited', ...facts, view }], [], []]);
  expect(view.connections).toEqual({ [bob.uid]: expect.any(Number) });
});

test('an invitation is pushed to both sides', async () => {
  const { received, answer } = await pushed(() => invite(ana, projectId, [cleo.uid]));
  const position = Number(answer.headers.get('x-position'));
  const edited = { type: 'UserEdited', actorUid: ana.uid, position };
  expect(received).toMatchObject([
    [{ ...edited, view: { uid: ana.uid, position, connections: { [cleo.uid]: expect.any(Number) } } }],
    [],
    [{ ...edited, view: { uid: cleo.uid, position, connections: { [ana.uid]: expect.any(Number) } } }],
  ]);
});

test('the end of a connection that an invitation made is pushed to the other side; an unfollow that ends nothing there is not', async () => {
  const { received, answer } = await pushed(() => cleo.delete(PROFILE_PATHS.connection(cleo.uid, ana.uid)));
  const edited = { type: 'UserEdited', actorUid: cleo.uid, position: Number(answer.headers.get('x-position')) };
  expect(received).toMatchObject([
    [{ ...edited, view: { uid: ana.uid, connections: { [bob.uid]: expect.any(Number) } } }],
    [],
    [{ ...edited, view: { uid: cleo.uid, connections: {} } }],
  ]);
  expect(received[0]?.[0]).not.toHaveProperty(`view.connections.${cleo.uid}`);
  const unfollowed = await pushed(() => ana.delete(PROFILE_PATHS.connection(ana.uid, bob.uid)));
  expect(unfollowed.received.map((messages) => messages.length)).toEqual([1, 0, 0]);
});

test('the end of one that was missed is sent at the next login', async () => {
  bodyOf(await invite(ana, projectId, [bob.uid]));
  const before = await sockets[1]?.ask('login');
  bodyOf(await ana.delete(PROFILE_PATHS.connection(ana.uid, bob.uid)));
  const back = await listening.socket(bob);
  expect(await back.ask('login', { after: before?.ok === true ? before.position : -1 })).toMatchObject({ ok: true });
  expect(usersIn(back.received)).toMatchObject([{ type: 'UserEdited', view: { uid: bob.uid, connections: {} } }]);
});

test('connections that were missed are sent at the next login, even if the project was removed since', async () => {
  const before = await sockets[1]?.ask('login');
  const { projectId: removed } = await aProjectWith(ana, { viewers: [`${bob.uid}-0`] });
  bodyOf(await ana.post(`/api/projects/removeProject/${removed}`));
  const back = await listening.socket(bob);
  expect(await back.ask('login', { after: before?.ok === true ? before.position : -1 })).toMatchObject({ ok: true });
  expect(usersIn(back.received)).toMatchObject([{ type: 'UserEdited', view: { uid: bob.uid, connections: { [ana.uid]: expect.any(Number) } } }]);
});

test('an erasure is pushed to everyone connected with the user, on either side, and to everyone who was in a project with them', async () => {
  bodyOf(await invite(ana, projectId, [dan.uid]));
  bodyOf(await dan.put(PROFILE_PATHS.connection(dan.uid, bob.uid)));
  bodyOf(await cleo.post(`/api/projects/${projectId}/leave`));
  const before = await sockets[2]?.ask('login');
  const { received } = await pushed(() => erase(dan));
  const erased = { type: 'UserErased', actorUid: null, commandId: `erase-${dan.uid}`, position: expect.any(Number), ids: [dan.uid] };
  expect(received.map((pushes) => pushes.filter(({ type }) => type === 'UserErased'))).toEqual([[erased], [erased], [erased]]);
  const back = await listening.socket(cleo);
  expect(await back.ask('login', { after: before?.ok === true ? before.position : -1 })).toMatchObject({ ok: true });
  expect(usersIn(back.received)).toEqual([erased]);
});

test('an erasure is pushed to nobody else', async () => {
  const [stranger] = await app.people('Fay');
  expect((await pushed(() => erase(stranger))).received).toEqual([[], [], []]);
});
