import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROFILE_PATHS } from '@roughmix/contracts/profiles/profile.paths.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { UpdatedUserAnswer, UserAddedAnswer, UsersAnswer, VisitAnswer } from '@roughmix/contracts/users/user.view.js';
import { PASSWORD, type Person, startApp, type TestApp } from '../testing/app.js';
import { aProjectWith } from '../testing/project-over-http.js';
import { bodyOf, statusAndCode, type TestClient } from '../testing/test-client.js';
import { withPhoto } from '../testing/with-photo.js';

let app: TestApp;
let ana: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person('Ana');
});
afterAll(() => app.stop());

/** A new account without names, as an accepted invite request makes it. */
async function newcomer(email: string): Promise<Person> {
  const { user } = bodyOf(await app.anonymous.post<UserAddedAnswer>(USER_PATHS.addUser(app.adminKey), { email, password: PASSWORD }));
  return app.signIn(email, user.username);
}
const complete = (who: Person, changes: object = {}) =>
  who.put(`/api/users/${who.uid}`, { firstName: 'Nom', lastName: 'DeGuerre', newPassword: 'slow-tide-and-5-reefs', ...changes });
const rename = (who: Person, username: string) => who.put<UpdatedUserAnswer>(`/api/users/${who.uid}`, { username });

const profile = async (who: TestClient, slug: string): Promise<string> => statusAndCode(await who.get(PROFILE_PATHS.page(`/@${slug}`)));
const visit = async (who: TestClient, href: string): Promise<string> => bodyOf(await who.post<VisitAnswer>('/api/auth/visit', { href })).access;
const found = async (query: string): Promise<readonly string[]> =>
  bodyOf(await ana.get<UsersAnswer>(`/api/users/search?q=${query}`)).users.map(({ username }) => username);

test('nothing public shows the e-mail address of an account without names', async () => {
  const john = await newcomer('john.private74fe@corp.example.com');
  expect(john.username).toMatch(/^newcomer-[0-9a-f]{8}$/);
  expect(await found('john.private')).toEqual([]);
  for (const slug of ['john.private74fe', john.username]) {
    expect(await profile(app.anonymous, slug)).toBe('404 user.not-found');
    expect(await profile(ana, slug)).toBe('404 user.not-found');
    expect(await visit(app.anonymous, `/@${slug}`)).toBe('login');
  }
});

test('others see no profile before it is complete, and none at the made-up name after it', async () => {
  const olga = await newcomer('olga@example.org');
  expect(await found('newcomer')).toEqual([]);
  expect(statusAndCode(await ana.get(PROFILE_PATHS.connections(olga.uid)))).toBe('404 user.not-found');
  expect([await profile(olga, olga.username), await visit(olga, `/@${olga.username}`)]).toEqual(['200', 'authorized']);
  bodyOf(await complete(await withPhoto(olga), { username: 'NightOwl' }));
  expect([await found('nightowl'), await profile(app.anonymous, 'nightowl')]).toEqual([['NightOwl'], '200']);
  expect(await profile(app.anonymous, olga.username)).toBe('404 user.not-found');
  expect(bodyOf(await rename(ana, olga.username)).updatedUser.username).toBe(olga.username);
});

test('a page of a project is found by the made-up username of its owner', async () => {
  const pia = await newcomer('pia@example.org');
  const { projectId } = await aProjectWith(pia);
  expect(await visit(pia, `/${pia.username}/projects/${projectId}`)).toBe('authorized');
});
