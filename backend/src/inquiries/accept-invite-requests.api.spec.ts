import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { INQUIRY_PATHS } from '@roughmix/contracts/inquiries/inquiry.paths.js';
import type { InviteRequestsAnswer, InviteRequestView } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { SessionAnswer, UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import { PASSWORD, startApp, type TestApp } from '../testing/app.js';
import { linkedToken, outboxWith } from '../testing/outbox.js';
import { type Answer, bodyOf, expectRefused, statusAndCode } from '../testing/test-client.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ PUBLIC_URL: 'https://mix.example', THROTTLE_INVITE_REQUESTS: '1000' });
});
afterAll(() => app.stop());

const HEADERS = { Origin: 'https://mix.example' };
const post = <Body>(path: string, body: object = {}): Promise<Answer<Body>> => app.anonymous.post<Body>(path, body, HEADERS);
const requests = async (): Promise<readonly InviteRequestView[]> =>
  bodyOf(await app.anonymous.get<InviteRequestsAnswer>(INQUIRY_PATHS.inviteRequestsWithKey(app.adminKey))).inviteRequests;

/** The newest request of an address that asks. */
async function requestOf(email: string): Promise<string> {
  bodyOf(await post(INQUIRY_PATHS.inviteRequests, { email }));
  return (await requests()).find((request) => request.email === email)?._id ?? '';
}
const accept = (id: string): Promise<Answer<UserAddedAnswer>> => post<UserAddedAnswer>(INQUIRY_PATHS.acceptWithKey(app.adminKey, id));
const decline = (id: string): Promise<Answer> => post(INQUIRY_PATHS.declineWithKey(app.adminKey, id));

/** The tokens of the links e-mailed to an address, oldest first, once there are as many. */
async function tokensFor(email: string, count: number): Promise<readonly string[]> {
  for (let emails = 1; ; emails += 1) {
    const tokens = (await outboxWith(app, emails)).filter(({ headers }) => headers.to === email).map((each) => linkedToken(each, 'invite'));
    if (tokens.length >= count) return tokens;
  }
}

test('an accepted request creates an account without a password and e-mails a link to the welcome page', async () => {
  const id = await requestOf('mara.lund@example.org');
  const accepted = await accept(id);
  expect([accepted.status, accepted.body.message]).toEqual([201, 'Account Created.']);
  const { user } = accepted.body;
  expect(user).toMatchObject({
    email: 'mara.lund@example.org',
    username: expect.stringMatching(/^newcomer-[0-9a-f]{8}$/),
    firstName: '',
    lastName: '',
    profileCompletion: 0,
  });
  expect((await requests()).find(({ _id }) => _id === id)?.state).toBe('accepted');
  const [token = ''] = await tokensFor('mara.lund@example.org', 1);
  const session = bodyOf(await post<SessionAnswer>(USER_PATHS.invite(token)));
  expect(session.user.uid).toBe(user.uid);
  for (const password of ['', PASSWORD]) expect(statusAndCode(await post(USER_PATHS.login, { email: user.email, password }))).toBe('401 auth.failed');
});

test('accepting again sends a new link in place of the first and answers the same with 200', async () => {
  const id = await requestOf('nils@example.org');
  const first = await accept(id);
  await tokensFor('nils@example.org', 1);
  const again = await accept(id);
  expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
  const [spent = '', valid = ''] = await tokensFor('nils@example.org', 2);
  expectRefused(await post(USER_PATHS.invite(spent)), 'invite.spent');
  expect((await post(USER_PATHS.invite(valid))).status).toBe(200);
});

test('an accepted request cannot be declined; a declined one can still be accepted', async () => {
  const id = await requestOf('otto@example.org');
  expect((await decline(id)).status).toBe(204);
  expect((await accept(id)).status).toBe(201);
  expectRefused(await decline(id), 'inviteRequest.accepted');
});

test('a request is refused if its address has another account, and if it does not exist', async () => {
  bodyOf(await post(USER_PATHS.addUser(app.adminKey), { email: 'pia@example.org', password: PASSWORD }));
  const id = await requestOf('pia@example.org');
  expectRefused(await accept(id), 'user.email-taken', { field: 'email' });
  expect((await requests()).find(({ _id }) => _id === id)?.state).toBe('open');
  const again = await requestOf('nils@example.org');
  expectRefused(await accept(again), 'user.email-taken', { field: 'email' });
  for (const unknown of ['abcdefghijklmnopqrstuv', '__proto__']) expectRefused(await accept(unknown), 'inviteRequest.not-found');
});

test('accepted three times at once, a request creates one account, and one answer is 201', async () => {
  const id = await requestOf('twice@example.org');
  const answers = await Promise.all([accept(id), accept(id), accept(id)]);
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '200', '201']);
  expect(new Set(answers.map(({ body }) => body.user.uid)).size).toBe(1);
});
