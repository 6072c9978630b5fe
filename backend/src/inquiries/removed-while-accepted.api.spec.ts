import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { INQUIRY_PATHS } from '@roughmix/contracts/inquiries/inquiry.paths.js';
import type { InviteRequestsAnswer } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { startApp, type TestApp } from '../testing/app.js';
import { outboxOf } from '../testing/outbox.js';
import { type Answer, bodyOf, statusAndCode } from '../testing/test-client.js';

const ROUNDS = 24;

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ THROTTLE_INVITE_REQUESTS: '1000' });
});
afterAll(() => app.stop());

async function requestOf(email: string): Promise<string> {
  bodyOf(await app.anonymous.post(INQUIRY_PATHS.inviteRequests, { email }));
  const { inviteRequests } = bodyOf(await app.anonymous.get<InviteRequestsAnswer>(INQUIRY_PATHS.inviteRequestsWithKey(app.adminKey)));
  return inviteRequests.find((request) => request.email === email)?._id ?? '';
}
const remove = (uid: string): Promise<Answer> => app.anonymous.post(USER_PATHS.removeUser(app.adminKey), { uid });

test('nothing is left of an address that is removed while its invite request is accepted', async () => {
  const left: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const email = `mara${round}@example.org`;
    const id = await requestOf(email);
    const accepting = app.anonymous.post(INQUIRY_PATHS.acceptWithKey(app.adminKey, id));
    await pause(round);
    const [accepted, removed] = await Promise.all([accepting, remove(email)]);
    const again = statusAndCode(await remove(email));
    if (again !== '404 user.not-removed') left.push(`${round}: ${statusAndCode(accepted)}, ${statusAndCode(removed)}, ${again}`);
  }
  expect(left).toEqual([]);
  expect((await outboxOf(app)).map(({ headers }) => headers.to)).toEqual([]);
});
