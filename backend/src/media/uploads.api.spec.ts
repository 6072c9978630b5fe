import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NewUploadAnswer } from '@roughmix/contracts/media/upload.api.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { addVersion, analysed, announce, aProjectWith, createProject, putBytes, smallWav, type CreatedProject, upload } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, keysOf, TestClient, statusAndCode } from '../testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let created: CreatedProject;

beforeAll(async () => {
  app = await startApp({}, { hasChildProcesses: true });
  [ana, bob] = await app.people('Ana', 'Bob');
  created = await aProjectWith(ana, { collaborators: [bob] });
  await analysed(ana, created.versionId);
});
afterAll(() => app.stop());

const announceWith = (rest: Readonly<Record<string, unknown>> = {}): Promise<Answer<NewUploadAnswer>> =>
  ana.post<NewUploadAnswer>('/api/storage/uploads', {
    purpose: 'version',
    filename: 'a.wav',
    contentType: 'audio/wav',
    size: 100,
    projectId: created.projectId,
    ...rest,
  });

const put = (url: string, init: { body?: NonNullable<RequestInit['body']>; headers?: Readonly<Record<string, string>> }): Promise<Answer> =>
  app.anonymous.send('PUT', url, { headers: { 'Content-Type': 'application/octet-stream' }, ...init });

const addTo = (who: Person, projectId: string, uploadId: string): Promise<Answer> =>
  who.post('/api/media', { submission: { projectId, uploadId, tinySummary: 'x' } });

describe('announcing an upload', () => {
  test('returns the URL, the headers and the expiry', async () => {
    const before = Date.now();
    const answer = await announceWith();
    expect(answer.status).toBe(201);
    expect(keysOf(answer.body)).toEqual(['expiresAt', 'headers', 'method', 'uploadId', 'url', 'versionId']);
    const { uploadId, versionId, url, method, headers, expiresAt } = answer.body;
    expect([method, url.startsWith('/api/storage/'), keysOf(headers).includes('Content-Length')]).toEqual(['PUT', true, false]);
    for (const id of [uploadId, versionId]) expect(id).toMatch(/^[A-Za-z0-9_]{21,36}$/);
    expect(expiresAt).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
  });

  test.each<[what: string, word: string, rest: Readonly<Record<string, unknown>>]>([
    ['0 bytes', '400 upload.empty', { size: 0 }],
    ['47,999,999 bytes', '201', { size: 47_999_999 }],
    ['48,000,000 bytes', '400 upload.too-large', { size: 48_000_000 }],
    ['48,000,000 bytes of an image', '400 upload.image-too-large', { purpose: 'comment-image', size: 48_000_000 }],
    ['a negative size', '400 request.invalid', { size: -1 }],
    ['half a byte', '400 request.invalid', { size: 0.5 }],
    ['a size as text', '400 request.invalid', { size: '100' }],
    ['another purpose', '400 request.invalid', { purpose: 'photo' }],
    ['an unknown field', '400 request.unknown-field', { other: 1 }],
    ['a file name of blanks', '400 request.invalid', { filename: ' \t\n ' }],
    ['an empty id', '400 request.invalid', { projectId: '' }],
    ['an id of 65', '400 request.invalid', { projectId: 'x'.repeat(65) }],
    ['an unknown id of 64', '404 project.not-found', { projectId: 'x'.repeat(64) }],
    ['an unknown version', '404 version.not-found', { versionId: 'x' }],
    ['an image for an unknown comment', '404 comment.not-found', { purpose: 'comment-image', commentId: 'x' }],
  ])('with %s is %s', async (_what, word, rest) => {
    expect(statusAndCode(await announceWith(rest))).toBe(word);
  });

  test('a version that was not rejected cannot be replaced', async () => {
    expectRefused(await announceWith({ versionId: created.versionId }), 'version.not-rejected');
  });

  test('for a new project returns the id of its first version', async () => {
    const { newProject, versionId } = bodyOf(await createProject(ana));
    expect(bodyOf(await announceWith({ projectId: newProject._id })).versionId).toBe(versionId);
  });

  test('closes the oldest unused announcement, and is refused once ten are filled', async () => {
    const { projectId } = await aProjectWith(ana);
    const first = bodyOf(await announce(ana, { projectId, size: 3 }));
    for (let nth = 0; nth < 10; nth += 1) {
      const next = bodyOf(await announce(ana, { projectId, size: 3 }));
      expect((await putBytes(ana, next, new Uint8Array(3))).status).toBe(204);
    }
    expect((await putBytes(ana, first, new Uint8Array(3))).status).toBe(404);
    const over = await announce(ana, { projectId, size: 3 });
    expect([statusAndCode(over), over.headers.has('retry-after')]).toEqual(['429 throttled', true]);
    expect(statusAndCode(await announceWith())).toBe('201');
  });
});

describe('uploading the bytes', () => {
  beforeAll(() => app.reactorsIdle());

  const content = smallWav();
  const announced = async (): Promise<NewUploadAnswer> => bodyOf(await announceWith({ size: content.length }));
  const bytes = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(1);
  const streamed = (length: number): ReadableStream =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(bytes(length));
        controller.close();
      },
    });

  test('needs no session, returns 204, and works once', async () => {
    const { url } = await announced();
    expect(statusAndCode(await put(url, { body: new Uint8Array(content) }))).toBe('204');
    expectRefused(await put(url, { body: new Uint8Array(content) }), 'upload.used');
  });

  test.each([
    ['fewer bytes', () => bytes(content.length - 1), '400 upload.damaged'],
    ['more bytes', () => bytes(content.length + 1), '413 request.too-large'],
    ['no bytes', () => bytes(0), '400 upload.damaged'],
    ['fewer bytes without a length', () => streamed(content.length - 1), '400 upload.damaged'],
    ['more bytes without a length', () => streamed(content.length + 1), '413 request.too-large'],
  ] as const)('%s are refused, nothing is kept, and the right ones can still be uploaded', async (_what, body, word) => {
    const blobs = await app.blobs();
    const { url } = await announced();
    expect(statusAndCode(await put(url, { body: body() }))).toBe(word);
    expect(await app.blobs()).toEqual(blobs);
    expect(statusAndCode(await put(url, { body: new Uint8Array(content) }))).toBe('204');
  });

  test('with different headers is refused', async () => {
    const { url } = await announced();
    expect(statusAndCode(await put(url, { body: new Uint8Array(content), headers: { 'Content-Type': 'text/html' } }))).toBe('400 request.invalid');
  });

  test('from another origin is refused', async () => {
    const { url, headers } = await announced();
    const ours = `http://localhost:${new URL(app.url).port}`;
    expectRefused(await put(url, { body: new Uint8Array(content), headers: { ...headers, Origin: 'https://evil.example' } }), 'request.cross-origin', {
      detail: `This request came from another site. Roughmix is at ${ours}; its operator sets this address as PUBLIC_URL.`,
    });
  });

  test('to an unknown URL is 404', async () => {
    const { url } = await announced();
    for (const odd of ['/api/storage/put/x', `${url.slice(0, -2)}AA`, '/api/storage/put/..%2F..%2Flog.db']) {
      expect((await put(odd, { body: bytes(3) })).status).toBe(404);
    }
  });
});

describe('using an upload', () => {
  test.each<[what: string, uploadId: () => Promise<string>]>([
    ['that was never announced', () => Promise.resolve('x')],
    ['whose bytes never arrived', async () => bodyOf(await announceWith()).uploadId],
    ['of another user', async () => (await upload(bob, smallWav(), { projectId: created.projectId })).uploadId],
    ['for another project', async () => (await upload(ana, smallWav(), { projectId: (await aProjectWith(ana)).projectId })).uploadId],
    [
      'that was used',
      async () => {
        const { uploadId } = await upload(ana, smallWav(), { projectId: created.projectId });
        bodyOf(await addTo(ana, created.projectId, uploadId));
        return uploadId;
      },
    ],
  ])('%s is 404 upload.not-found', async (_what, uploadId) => {
    expectRefused(await addTo(ana, created.projectId, await uploadId()), 'upload.not-found');
  });

  test('of a first version for another version is 404, and the first version accepts one upload', async () => {
    const { newProject, versionId } = bodyOf(await createProject(ana));
    const projectId = newProject._id;
    const { uploadId } = await upload(ana, smallWav(), { projectId });
    expect(statusAndCode(await addTo(ana, projectId, uploadId))).toBe('404 version.not-found');
    const initialVersion = { projectId, versionId, uploadId };
    expect(statusAndCode(await ana.post('/api/media/newProject', { initialVersion: { ...initialVersion, versionId: 'x' } }))).toBe('404 version.not-found');
    expect(statusAndCode(await ana.post('/api/media/newProject', { initialVersion }))).toBe('201');
    expect(statusAndCode(await ana.post('/api/media/newProject', { initialVersion }))).toBe('404 upload.not-found');
  });

  test('stores the file at the path of the spec, with its number and without its name', async () => {
    const { projectId, versionId } = await aProjectWith(ana, { filename: '../../a<b>/c:"Überarbeitung".wav' });
    const stored = (await app.blobs()).filter((path) => path.includes(projectId) && !path.includes('/peaks-'));
    expect(stored).toEqual([`${ana.uid}/ProjectMediaFiles/${projectId}/${versionId}/1_0-audio`]);
    const { _id } = await addVersion(ana, projectId);
    expect((await app.blobs()).includes(`${ana.uid}/ProjectMediaFiles/${projectId}/${_id}/1_1-audio`)).toBe(true);
    expect((await app.blobs()).some((path) => path.startsWith('uploads/') && path.includes(_id))).toBe(false);
  });
});

test('a client without a session cannot announce an upload', async () => {
  expectRefused(await new TestClient(app.url).post('/api/storage/uploads', {}), 'auth.required');
});
