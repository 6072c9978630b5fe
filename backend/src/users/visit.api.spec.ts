import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { VisitAnswer } from '@roughmix/contracts/users/user.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { aProjectWith } from '../testing/project-over-http.js';
import { bodyOf, statusAndCode, type TestClient } from '../testing/test-client.js';

const PUBLIC_URL = 'https://mix.example';
let app: TestApp;
let ana: Person;
let bob: Person;
let guest: Person;
let shared: string;
let open: string;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
  guest = await app.guest();
  shared = (await aProjectWith(ana, { collaborators: [bob] })).projectId;
  open = (await aProjectWith(ana, { isPublic: true })).projectId;
});
afterAll(() => app.stop());

const visit = async (who: TestClient, href: string): Promise<string> => bodyOf(await who.post<VisitAnswer>('/api/auth/visit', { href })).access;
/** For nobody, the guest, a stranger (Cleo) and a member (Bob). */
async function accesses(href: string): Promise<string> {
  const found: string[] = [];
  for (const who of [app.anonymous, guest, ana, bob]) found.push(await visit(who, href));
  return found.join(' ');
}

describe('a page', () => {
  test.each([
    '/',
    '/login',
    '/contact',
    '/privacy/',
    '/terms',
    '/terms/projects-terms-of-service?x=1#y',
    '/passwordReset',
    '/passwordReset/abc',
    '/invite/abc',
    '/unsubscribe/abc',
  ])('%s is open to everyone', async (href) => {
    expect(await accesses(href)).toBe('authorized authorized authorized authorized');
  });

  test.each(['/projects', '/projects/', '/projects?view=shared', '/welcome', '/home'])('%s needs a session', async (href) => {
    expect(await accesses(href)).toBe('login authorized authorized authorized');
  });

  test.each(['/nothing', '/projects/nothing', '/projects/a/b', '/api/auth/session', '/@', '/@nobody', '/@guest', '/%E0%A4%A', '/projects%2Fx', '/groups/x'])(
    '%s does not exist',
    async (href) => {
      expect(await accesses(href)).toBe('login denied denied denied');
    },
  );
});

describe('a project', () => {
  test('is open to its members, and to everyone with a session if it is public', async () => {
    expect(await accesses(`/projects/${shared}`)).toBe('login denied authorized authorized');
    expect(await accesses(`/ana-tester/projects/${shared}`)).toBe('login denied authorized authorized');
    expect(await accesses(`/ana-tester/projects/${open}`)).toBe('login authorized authorized authorized');
    expect(await accesses(`/bob-tester/projects/${open}`)).toBe('login denied denied denied');
  });
});

describe('a profile', () => {
  test('is open to everyone, under earlier usernames that were chosen too', async () => {
    expect(await accesses('/@ana-tester')).toBe('authorized authorized authorized authorized');
    for (const username of ['Owl', 'Änne Reed']) expect((await ana.put(`/api/users/${ana.uid}`, { username })).status).toBe(200);
    for (const slug of ['owl', 'änne-reed', encodeURIComponent('änne-reed')]) {
      expect(await accesses(`/@${slug}`)).toBe('authorized authorized authorized authorized');
      expect(await accesses(`/${slug}/projects/${shared}`)).toBe('login denied authorized authorized');
    }
    expect(await accesses('/@ana-tester')).toBe('login denied denied denied');
    expect(await accesses(`/ana-tester/projects/${shared}`)).toBe('login denied denied denied');
  });
});

describe('an address', () => {
  test('may be a URL of this server', async () => {
    const [origin, other] = [new URL(app.url), new URL(app.url)];
    other.hostname = 'localhost';
    for (const { origin: own } of [origin, other]) expect(await visit(ana, `${own}/projects/${shared}?t=1`)).toBe('authorized');
  });

  test.each([
    'https://evil.example/projects',
    `${PUBLIC_URL}/projects`,
    '//evil.example/projects',
    '/\\evil.example/projects',
    'projects',
    '',
    'javascript:alert(1)',
    'http://',
    'http://[',
  ])('%j is 400', async (href) => {
    expect(statusAndCode(await ana.post('/api/auth/visit', { href }))).toBe('400 request.invalid');
  });
});
