import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fastify from 'fastify';
import sharp from 'sharp';
import { PASSWORD, type Person, startApp, type TestApp } from '../../testing/app.js';
import { analysed, aProjectWith, comment, upload } from '../../testing/project-over-http.js';
import { bodyOf, TestClient } from '../../testing/test-client.js';
import { addSecurityHeaders } from './security-headers.js';

const PAGE_FOLDER = fileURLToPath(new URL('../../../../frontend/dist', import.meta.url));
const isBuilt = existsSync(`${PAGE_FOLDER}/index.html`);

let app: TestApp;
let ana: Person;
const paths: Record<string, string> = {};

beforeAll(async () => {
  app = await startApp();
  ana = await app.person('Ana');
  const { projectId, versionId } = await aProjectWith(ana);
  await analysed(ana, versionId);
  const added = await comment(ana, projectId, { type: 'image', content: { filename: 'a.png' } });
  const picture = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const { uploadId } = await upload(ana, picture, { projectId, purpose: 'comment-image', commentId: added._id, filename: 'a.png' });
  bodyOf(await ana.put(`/api/comments/${added._id}`, { projectId, submission: { content: { uploadId } } }));
  for (const what of ['audio', 'download', 'peaks']) paths[what] = `/api/media/${versionId}/${what}`;
  paths.image = `/api/comments/${added._id}/image`;
  paths.project = `/api/projects/${ana.uid}/${projectId}`;
});
afterAll(() => app.stop());

const PERMISSIONS =
  'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), ' +
  'midi=(), payment=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()';
const EVERYWHERE = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': PERMISSIONS,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};
const DATA = {
  ...EVERYWHERE,
  'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';sandbox",
  'referrer-policy': 'no-referrer',
};
const PAGE = {
  ...EVERYWHERE,
  'content-security-policy':
    "default-src 'self';script-src 'self';style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=' " +
    "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg=';style-src-attr 'unsafe-inline';img-src 'self' data: blob:;media-src 'self' blob:;font-src 'self';" +
    "connect-src 'self';object-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
};
const DOCS = {
  ...EVERYWHERE,
  'content-security-policy':
    "default-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;object-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
};
const PROBLEM = { ...DATA, 'cache-control': 'no-store', 'content-type': 'application/problem+json; charset=utf-8' };
const FILE = { 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' };

const TRANSPORT_HEADERS = [
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'last-modified',
  'transfer-encoding',
  'vary',
  'x-request-id',
];

const headersOf = (answer: Response): Record<string, string> => Object.fromEntries([...answer.headers].filter(([name]) => !TRANSPORT_HEADERS.includes(name)));

async function headersAt(path: string, who: TestClient = ana): Promise<Record<string, string>> {
  const answer = await who.raw('GET', path);
  await answer.arrayBuffer();
  return headersOf(answer);
}

describe('the headers of', () => {
  const json = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' };

  test('an answer', async () => {
    expect(await headersAt(paths.project ?? '')).toEqual({ ...DATA, ...json });
  });

  test('audio', async () => {
    expect(await headersAt(paths.audio ?? '')).toEqual({ ...DATA, ...FILE, 'content-type': 'audio/wav' });
  });

  test('a download', async () => {
    const disposition = 'attachment; filename="take 1.wav"; filename*=UTF-8\'\'take%201.wav';
    expect(await headersAt(paths.download ?? '')).toEqual({ ...DATA, ...FILE, 'content-type': 'audio/wav', 'content-disposition': disposition });
  });

  test('peaks', async () => {
    const cached = { 'accept-ranges': 'bytes', 'cache-control': 'private, max-age=31536000, immutable' };
    expect(await headersAt(paths.peaks ?? '')).toEqual({ ...DATA, ...cached, 'content-type': 'application/octet-stream' });
  });

  test('a picture', async () => {
    expect(await headersAt(paths.image ?? '')).toMatchObject({ ...DATA, 'content-type': 'image/png' });
  });

  test('a generated photo, whose SVG may contain styles', async () => {
    const policy = "default-src 'none'; style-src 'unsafe-inline'";
    const cached = { 'cache-control': 'private, no-cache', 'content-type': 'image/svg+xml' };
    expect(await headersAt(`/api/users/${ana.uid}/photo`)).toEqual({ ...DATA, ...cached, 'content-security-policy': policy });
  });

  test.each([
    ['401', () => [app.anonymous, paths.project ?? ''] as const],
    ['403', () => [ana, '/api/projects/another_user'] as const],
    ['404', () => [ana, '/api/media/nothing/audio'] as const],
    ['no route', () => [ana, '/api/nothing'] as const],
    ['a malformed path', () => [ana, '/api/%zz'] as const],
    ['an unknown path below /health', () => [app.anonymous, '/health/nothing'] as const],
    ['the socket without a WebSocket', () => [app.anonymous, '/socket.io/?EIO=4&transport=polling'] as const],
  ])('a problem: %s', async (what, request) => {
    const [who, path] = request();
    // A malformed path is answered before any hook runs, but has the protective headers too.
    const early = [
      'content-security-policy',
      'cross-origin-resource-policy',
      'referrer-policy',
      'x-content-type-options',
      'x-frame-options',
      'cache-control',
      'content-type',
    ];
    const expected = what === 'a malformed path' ? Object.fromEntries(Object.entries(PROBLEM).filter(([name]) => early.includes(name))) : PROBLEM;
    expect(await headersAt(path, who)).toEqual(expected);
  });

  test('the documentation, which has inline styles', async () => {
    expect(await headersAt('/docs')).toEqual({ ...DOCS, 'content-type': 'text/html; charset=utf-8' });
    expect(await headersAt('/docs/begin.js')).toEqual({ ...DOCS, 'content-type': 'text/javascript; charset=utf-8' });
  });

  (isBuilt ? test : test.skip)('the page and its files', async () => {
    const script = readdirSync(`${PAGE_FOLDER}/assets`).find((name) => name.endsWith('.js')) ?? '';
    const html = { ...PAGE, 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' };
    expect(await headersAt('/', app.anonymous)).toEqual(html);
    expect(await headersAt('/index.html', app.anonymous)).toEqual({ ...html, 'accept-ranges': 'bytes' });
    expect(await headersAt('/projects', app.anonymous)).toEqual({ ...html, 'accept-ranges': 'bytes', 'x-robots-tag': 'noindex' });
    const cached = {
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/javascript; charset=utf-8',
    };
    expect(await headersAt(`/assets/${script}`, app.anonymous)).toEqual({ ...PAGE, ...cached });
  });
});

test('with an S3 server, pages may upload files there and play them from there, and nothing else', async () => {
  const server = fastify();
  await addSecurityHeaders(server, { isTls: true, filesOrigin: 'https://files.example' });
  server.get('/', () => '');
  const policy = String((await server.inject('/')).headers['content-security-policy']);
  const own = PAGE['content-security-policy'];
  expect(policy).toBe(own.replace("media-src 'self' blob:", '$& https://files.example').replace("connect-src 'self'", '$& https://files.example'));
  expect(policy.match(/files\.example/g)).toHaveLength(2);
  await server.close();
});

test('requests that Node itself refuses get the headers of a problem', async () => {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.end('NONSENSE\r\n\r\n');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  const names = text.split('\r\n').flatMap((line) => /^([\w-]+):/.exec(line)?.[1]?.toLowerCase() ?? []);
  expect(names.toSorted()).toEqual(
    ['cache-control', 'connection', 'content-length', 'content-security-policy', 'content-type', 'cross-origin-resource-policy', 'referrer-policy']
      .concat(['x-content-type-options', 'x-frame-options'])
      .toSorted(),
  );
});

describe('behind TLS', () => {
  let secure: TestApp;
  const site = { Origin: 'https://mix.example', Host: 'mix.example' };
  beforeAll(async () => {
    secure = await startApp({ PUBLIC_URL: 'https://mix.example' });
    bodyOf(await secure.anonymous.post(`/api/admin/${secure.adminKey}/users/addUser`, { email: 'ana@example.org', password: PASSWORD }));
  });
  afterAll(() => secure.stop());

  test('every response carries HSTS', async () => {
    for (const path of ['/health/live', '/api/nothing', '/docs']) {
      expect((await headersAt(path, secure.anonymous))['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    }
  });

  test('cookies are bound to this host, and one without the prefix is ignored', async () => {
    const answer = await secure.anonymous.post('/api/auth/login', { email: 'ana@example.org', password: PASSWORD }, site);
    const cookies = answer.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.replace(/=[^;]+/, '=…'))).toEqual([
      '__Host-roughmix_session=…; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Host-roughmix_device=…; Max-Age=31536000; Path=/; HttpOnly; Secure; SameSite=Lax',
    ]);
    const session = (cookies[0] ?? '').split(';')[0] ?? '';
    expect((await secure.anonymous.get('/api/auth/session', { Cookie: session })).status).toBe(200);
    expect((await secure.anonymous.get('/api/auth/session', { Cookie: session.replace('__Host-', '') })).status).toBe(401);
  });

  test.each([
    ['https://mix.example', 200],
    ['http://mix.example', 403],
    ['https://mix.example.evil.example', 403],
    ['https://evil.mix.example', 403],
    ['https://mix.example:8443', 403],
    ['null', 403],
    ['', 403],
  ])('a page of %j: %i', async (Origin, status) => {
    expect((await secure.anonymous.post('/api/auth/guest', {}, { Origin })).status).toBe(status);
  });
});
