import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Person, startApp, type TestApp } from './testing/app.js';
import { aProjectWith, createProject, type CreatedProject } from './testing/project-over-http.js';
import { expectRefused, type Method, readinessOf, statusAndCode } from './testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let guest: Person;
let project: CreatedProject;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
  guest = await app.guest();
  project = await aProjectWith(ana);
});
afterAll(() => app.stop());

/** Fields that the spec's clients send: accepted and ignored wherever they have no meaning. */
const IGNORED =
  'user uid uploader inviterId postOwnerId projectOwner visitorId preventSocket notifInfo shareInfo dateAdded dateModified createdDate majorValue minorValue ' +
  'majorUpdate minorUpdate reminderSent versionUrl prevUrl prevVersionUrl file project newPermissions associatedRegions timespan userReplies commentId isReply ' +
  'replyIds parentCommentId taggedUsers edited likes negs initialLogin';
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('an unknown route', () => {
  test.each<[method: Method, path: string]>([
    ['GET', '/api/nothing'],
    ['POST', '/api/nothing'],
    ['DELETE', '/api/comments/x'],
    ['PATCH', '/api/comments'],
    ['PUT', '/api/comments'],
    ['OPTIONS', '/api/comments'],
    ['GET', '/api/comments'],
    ['GET', '/health/nothing'],
    ['POST', '/health/live'],
    ['POST', '/projects'],
    ['GET', '/assets/of-an-older-page.js'],
    ['GET', '/api/comments/%E0%A4%A'],
  ])('%s %s is 404 route.not-found for every caller', async (method, path) => {
    for (const who of [app.anonymous, ana, guest]) {
      const answer = await who.call(method, path);
      expectRefused(answer, 'route.not-found', path.includes('%') ? {} : { instance: path });
    }
  });

  test('is 404 for a request from another site too', async () => {
    expectRefused(await app.anonymous.post('/api/nothing', {}, { Origin: 'https://evil.example' }), 'route.not-found');
  });
});

describe('every response below /api', () => {
  test('is never cached', async () => {
    const answers = [
      await ana.get(`/api/projects/${ana.uid}`),
      await ana.get('/api/auth/session'),
      await createProject(ana),
      await app.anonymous.get('/api/auth/session'),
    ];
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(['no-store', 'no-store', 'no-store', 'no-store']);
  });

  test('has no CORS headers, and HEAD sends headers only', async () => {
    const answer = await ana.raw('HEAD', `/api/projects/${ana.uid}`, { headers: { Origin: 'https://evil.example' } });
    expect([answer.status, await answer.text(), answer.headers.get('access-control-allow-origin')]).toEqual([200, '', null]);
  });

  test('ignores unknown query parameters', async () => {
    expect(statusAndCode(await ana.get(`/api/projects/${ana.uid}?limit=x&__proto__=1`))).toBe('200');
  });
});

describe('a body', () => {
  const post = (body: string, headers: Readonly<Record<string, string>> = JSON_TYPE, who = ana) =>
    who.send('POST', '/api/projects/newProject', { body, headers });
  const nested = (levels: number): string => `{"submission":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

  test.each([
    ['broken JSON', '{"submission', '400 request.broken-json'],
    ['a list', '[]', '400 request.invalid'],
    ['a string', '"x"', '400 request.invalid'],
    ['null', 'null', '400 request.invalid'],
    ['21 levels', nested(21), '400 request.invalid'],
    ['a hundred thousand levels', nested(100_000), '400 request.invalid'],
    ['__proto__', '{"__proto__":{},"submission":{"projectName":"x"}}', '400 request.unknown-field'],
    ['constructor', '{"submission":{"projectName":"x","constructor":{}}}', '400 request.unknown-field'],
    ['an unknown field', '{"submission":{"projectName":"x"},"other":1}', '400 request.unknown-field'],
    ['an unknown field inside', '{"submission":{"projectName":"x","other":1}}', '400 request.unknown-field'],
    ['more than 512 kB', JSON.stringify({ submission: { projectName: 'x'.repeat(512 * 1024) } }), '413 request.too-large'],
  ])('with %s is refused', async (_what, body, expected) => {
    const answer = await post(body);
    expect(statusAndCode(answer)).toBe(expected);
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  });

  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])('of %s is 415', async (type) => {
    expectRefused(await post('a=b', { 'Content-Type': type }), 'request.media-type');
    expectRefused(await ana.send('POST', '/api/comments', { body: 'a=b', headers: { 'Content-Type': type } }), 'request.media-type');
  });

  test('of broken JSON is 401 without a session and 403 for the guest', async () => {
    expectRefused(await post('{"a', JSON_TYPE, app.anonymous as Person), 'auth.required');
    expectRefused(await post('{"a', JSON_TYPE, guest), 'guest.read-only');
  });

  test('names the unknown field by its path', async () => {
    expectRefused(await post('{"submission":{"projectName":"x","other":1}}'), 'request.unknown-field', { field: 'submission.other' });
  });

  test('names every invalid field', async () => {
    const answer = await post('{"submission":{"projectName":7,"writeAccess":"yes"}}');
    expect(statusAndCode(answer)).toBe('400 request.invalid');
    expect((answer.body as { errors: { field: string }[] }).errors.map(({ field }) => field)).toEqual(['submission.projectName', 'submission.writeAccess']);
  });

  test("may contain redundant fields that the spec's clients send, at the top and nested", async () => {
    const extras = Object.fromEntries(IGNORED.split(' ').map((name) => [name, { any: 'thing' }]));
    const answer = await ana.put(`/api/projects/${project.projectId}`, {
      ...extras,
      projectName: 'ignored',
      submission: { ...extras, description: 'changed' },
    });
    expect(statusAndCode(answer)).toBe('200');
    expect(answer.body).toMatchObject({ updatedProject: { projectName: 'Low tide', description: 'changed', owner: { uid: ana.uid } } });
  });
});

describe('the checks, in order', () => {
  const foreign = { Origin: 'https://evil.example' };
  const path = (): string => `/api/projects/${ana.uid}/inviteUsers/${project.projectId}`;
  test.each<[who: string, caller: () => Person, path: () => string, body: object, headers: Record<string, string>, expected: string]>([
    ['foreign and without a session', () => app.anonymous as Person, path, {}, foreign, '403 request.cross-origin'],
    ['without a session', () => app.anonymous as Person, path, {}, {}, '401 auth.required'],
    ['the guest at the URL of another user', () => guest, path, {}, {}, '403 guest.read-only'],
    ['a user at the URL of another user, with a wrong shape', () => bob, path, { other: 1 }, {}, '403 actor.mismatch'],
    [
      'an outsider with a wrong shape',
      () => bob,
      () => `/api/projects/${bob.uid}/inviteUsers/${project.projectId}`,
      { other: 1 },
      {},
      '400 request.unknown-field',
    ],
    ['an outsider', () => bob, () => `/api/projects/${bob.uid}/inviteUsers/${project.projectId}`, { invitedUsers: ['nobody-0'] }, {}, '404 project.not-found'],
    ['the owner with an invalid invitation', () => ana, path, { invitedUsers: ['nobody-0'] }, {}, '400 invite.unknown-user'],
  ])('%s', async (...[, caller, pathOf, body, headers, expected]) => {
    expect(statusAndCode(await caller().put(pathOf(), body, headers))).toBe(expected);
  });

  test.each([
    ['Sec-Fetch-Site', 'cross-site', '403 request.cross-origin'],
    ['Sec-Fetch-Site', 'same-site', '403 request.cross-origin'],
    ['Origin', 'null', '403 request.cross-origin'],
    ['Origin', 'http://localhost:1', '403 request.cross-origin'],
    ['Sec-Fetch-Site', 'same-origin', '201'],
    ['Sec-Fetch-Site', 'none', '201'],
  ])('%s: %s is %s', async (name, value, expected) => {
    // fetch overwrites some of these headers.
    const { port, hostname } = new URL(app.url);
    const status = await new Promise<{ status: number; body: unknown; headers: Headers }>((resolve, reject) => {
      const sent = request(
        { hostname, port, method: 'POST', path: '/api/projects/newProject', headers: { ...JSON_TYPE, Authorization: `Bearer ${ana.token}`, [name]: value } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) as unknown, headers: new Headers() }),
          );
        },
      );
      sent.on('error', reject);
      sent.end('{"submission":{"projectName":"x"}}');
    });
    expect(statusAndCode(status)).toBe(expected);
  });

  test.each(['localhost', '127.0.0.1', '[::1]'])('a page opened at %s is one of ours', async (host) => {
    expect(statusAndCode(await createProject(ana))).toBe('201');
    const answer = await ana.post('/api/projects/newProject', { submission: { projectName: 'x' } }, { Origin: `http://${host}:${new URL(app.url).port}` });
    expect(statusAndCode(answer)).toBe('201');
  });
});

describe('lists by ids', () => {
  const many = (count: number): string => Array.from({ length: count }, (_, at) => `${'a'.repeat(30)}${1_000 + at}`).join(',');

  test.each(['comments', 'todos', 'completedTodos', 'regions', 'media', 'media/lite'])('/api/%s takes at most 100 ids of any form', async (what) => {
    const none = what.startsWith('media') ? { versions: [] } : /todos/i.test(what) ? { todos: {} } : { [what]: [] };
    expect((await ana.get(`/api/${what}/${many(100)}`)).body).toEqual(none);
    expectRefused(await ana.get(`/api/${what}/${many(101)}`), 'ids.too-many', { limit: 100 });
    expectRefused(await ana.get(`/api/${what}/${many(300)}`), 'ids.too-many', { limit: 100 });
    for (const odd of ['x', '__proto__,constructor', 'a-b', '%2F%2F', "';--", ',', 'ä'.repeat(70)]) {
      expect((await ana.get(`/api/${what}/${odd}`)).body).toEqual(none);
    }
  });

  test('count duplicates once', async () => {
    const list = Array.from({ length: 150 }, () => project.versionId).join(',');
    const answer = await ana.get<{ versions: { _id: string }[] }>(`/api/media/${list}`);
    expect(answer.body.versions.map(({ _id }) => _id)).toEqual([project.versionId]);
  });
});

describe('health', () => {
  test('is public: live and ready', async () => {
    expect((await app.anonymous.get('/health/live')).body).toEqual({ status: 'ok' });
    const ready = await readinessOf<{ status: string; projections: { projector: string; lag: number; parkedStreams: string[] }[] }>(app.anonymous);
    expect([ready.status, ready.body.status, ready.headers.get('cache-control')]).toEqual([200, 'ready', 'no-store']);
    expect(ready.body.projections.map(({ projector }) => projector)).toEqual([
      'users',
      'staff',
      'projects',
      'parts',
      'connections',
      'blocks',
      'versions',
      'comments',
      'todos',
      'regions',
      'notes',
      'collections',
      'notifications',
      'plays',
      'usage',
      'inquiries',
    ]);
    expect(ready.body.projections.flatMap(({ parkedStreams }) => parkedStreams)).toEqual([]);
  });
});
