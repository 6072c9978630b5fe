import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BLOCK_PATHS } from '@roughmix/contracts/blocks/block.paths.js';
import type { SelfView, UpdatedUserAnswer } from '@roughmix/contracts/users/user.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { aProjectWith } from '../testing/project-over-http.js';
import { type Answer, bodyOf } from '../testing/test-client.js';
import { receivedDuring, TestSockets } from '../testing/test-sockets.js';
import type { TestSocket } from '../testing/test-socket.js';

const listening = new TestSockets();
let app: TestApp;
let ana: Person;
let bob: Person;
let projectId: string;
let own: TestSocket;
let bobs: TestSocket;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
  ({ projectId } = await aProjectWith(ana, { collaborators: [bob] }));
  [own, bobs] = [await listening.socket(ana, projectId), await listening.socket(bob, projectId)];
});
afterAll(() => listening.stop(app));

const edit = (body: object): Promise<Answer<UpdatedUserAnswer>> => ana.put(`/api/users/${ana.uid}`, body);

/** What Ana receives about users during a call; Bob, in the same project, must receive nothing of it. */
async function pushed(body: object): Promise<{ readonly pushes: readonly unknown[]; readonly answer: Answer<UpdatedUserAnswer> }> {
  const { received, answer } = await receivedDuring(ana, projectId, [own, bobs], () => edit(body));
  const [toAna = [], toBob = []] = received.map((messages) => messages.filter(({ channel }) => channel === 'users').map((message) => message.body));
  expect(toBob).toEqual([]);
  if (answer === null) throw new Error('there was no call');
  return { pushes: toAna, answer: answer as Answer<UpdatedUserAnswer> };
}

test("a changed profile is pushed to the user's own sockets", async () => {
  const { pushes, answer } = await pushed({ info: { about: 'Sings' } });
  const view: SelfView = bodyOf(answer).updatedUser;
  const facts = { actorUid: ana.uid, commandId: answer.headers.get('x-command-id'), position: view.position };
  expect(pushes).toEqual([{ type: 'UserEdited', ...facts, view }]);
  expect(view).toMatchObject({ info: { about: 'Sings' }, email: 'ana.tester@example.org' });
});

test('an edit that changes nothing pushes nothing', async () => {
  expect((await pushed({ info: { about: 'Sings' } })).pushes).toEqual([]);
});

test("whom they block is pushed to the user's own sockets only", async () => {
  const { received, answer } = await receivedDuring(ana, projectId, [own, bobs], () => ana.put(BLOCK_PATHS.one(ana.uid, bob.uid)));
  const [toAna = [], toBob = []] = received.map((messages) => messages.filter(({ channel }) => channel === 'users').map((message) => message.body));
  const position = Number(answer?.headers.get('x-position'));
  expect(toAna).toMatchObject([{ type: 'UserEdited', actorUid: ana.uid, position, view: { blocked: [bob.uid], position } }]);
  expect(toBob).toEqual([]);
});

test('a change that was missed is sent at the next login', async () => {
  const before = Number((await edit({ info: { location: 'Lisbon' } })).headers.get('x-position'));
  const { updatedUser } = bodyOf(await edit({ firstName: 'Anouk' }));
  const socket = await listening.socket(ana, projectId);
  expect(await socket.ask('login', { after: before })).toMatchObject({ ok: true });
  const { body } = await socket.until(({ channel }) => channel === 'users');
  expect([body.type, body.view]).toEqual(['UserEdited', updatedUser]);
});
