import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SessionAnswer } from '@roughmix/contracts/users/user.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { alacFile } from '../testing/alac.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { analysed, aProjectWith, type CreatedProject, smallWav } from '../testing/project-over-http.js';
import { bodyOf, expectRefused } from '../testing/test-client.js';
import { sine } from '../testing/wav.js';

const NAME = 'By-Product (rough mix) – 3 Überarbeitung.wav';

let app: TestApp;
let ana: Person;
let bob: Person;
let uma: Person;
let created: CreatedProject;
let version: VersionView;
const content = smallWav();

beforeAll(async () => {
  app = await startApp();
  [ana, bob, uma] = await app.people('Ana', 'Bob', 'Uma');
  created = await aProjectWith(ana, { collaborators: [bob], isPublic: true, bytes: content, filename: NAME });
  version = await analysed(ana, created.versionId);
});
afterAll(() => app.stop());

describe('the audio', () => {
  const audio = async (headers: Readonly<Record<string, string>> = {}, who = uma): Promise<{ status: number; headers: Headers; bytes: Buffer }> => {
    const answer = await who.raw('GET', `/api/media/${created.versionId}/audio`, { headers });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const whole = Buffer.from(content);

  test('is the original file with the type that the probe found, and no sniffing', async () => {
    const { status, headers, bytes } = await audio();
    expect([status, bytes.equals(whole)]).toEqual([200, true]);
    expect(
      Object.fromEntries(
        ['content-type', 'content-length', 'accept-ranges', 'x-content-type-options', 'content-disposition'].map((name) => [name, headers.get(name)]),
      ),
    ).toEqual({
      'content-type': 'audio/wav',
      'content-length': String(whole.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-disposition': null,
    });
    expect(headers.get('cache-control')).not.toBe('no-store');
  });

  test.each<[range: string, first: number, last: number]>([
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, 16_043],
    ['bytes=-100', 15_944, 16_043],
    ['bytes=16043-', 16_043, 16_043],
    ['bytes=0-999999999', 0, 16_043],
    ['bytes=-999999999', 0, 16_043],
  ])('%s returns that part', async (range, first, last) => {
    const { status, headers, bytes } = await audio({ Range: range });
    expect([status, headers.get('content-range'), headers.get('content-length')]).toEqual([206, `bytes ${first}-${last}/16044`, String(last - first + 1)]);
    expect(bytes.equals(whole.subarray(first, last + 1))).toBe(true);
  });

  test.each(['bytes=16044-', 'bytes=99999-100000', 'bytes=-0'])('%s returns 416', async (range) => {
    const answer = await uma.get(`/api/media/${created.versionId}/audio`, { Range: range });
    expectRefused(answer, 'range.invalid');
    expect(answer.headers.get('content-range')).toBe('bytes */16044');
  });

  test.each(['bytes=0-1,5-6', 'lines=1-2', 'bytes=x', 'bytes=5-1'])('%s returns the whole file', async (range) => {
    expect((await audio({ Range: range })).status).toBe(200);
  });

  test('is 304 if unchanged, and a range applies only to an unchanged file', async () => {
    const etag = (await audio()).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    const same = await audio({ 'If-None-Match': etag });
    expect([same.status, same.bytes.length]).toEqual([304, 0]);
    expect((await audio({ Range: 'bytes=0-1', 'If-Range': etag })).status).toBe(206);
    expect((await audio({ Range: 'bytes=0-1', 'If-Range': '"other"' })).status).toBe(200);
  });

  test('HEAD returns the same headers without the bytes', async () => {
    const answer = await uma.raw('HEAD', `/api/media/${created.versionId}/audio`);
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '16044', '']);
  });
});

test('the download has the original file name', async () => {
  const answer = await bob.raw('GET', `/api/media/${created.versionId}/download`, { headers: { Range: 'bytes=0-9' } });
  await answer.arrayBuffer();
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
    206,
    `attachment; filename="By-Product (rough mix) _ 3 _berarbeitung.wav"; filename*=UTF-8''By-Product%20%28rough%20mix%29%20%E2%80%93%203%20%C3%9Cberarbeitung.wav`,
  ]);
  expectRefused(await uma.get(`/api/media/${created.versionId}/download`), 'version.no-download');
});

describe('a version that browsers do not play', () => {
  const original = Buffer.from(
    alacFile({ channels: [[...sine({ seconds: 0.2, sampleRate: 8_000 })].map((sample) => Math.round(sample * 9_999))], sampleRate: 8_000 }),
  );
  let alac: CreatedProject;
  let view: VersionView;
  let before: number;
  const used = async (): Promise<number> => bodyOf(await bob.get<SessionAnswer>('/api/auth/session')).quota?.bytes.used ?? 0;
  beforeAll(async () => {
    before = await used();
    alac = await aProjectWith(bob, { isPublic: true, bytes: original, filename: 'take.m4a' });
    view = await analysed(bob, alac.versionId);
  });
  const get = (what: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    bob.raw('GET', `/api/media/${alac.versionId}/${what}`, { headers });

  test('is played as a FLAC copy, which its view says', async () => {
    expect(view).toMatchObject({ state: 'ready', filename: 'take.m4a', analysis: { codec: 'alac', duration: 0.2 }, playback: { codec: 'flac', isCopy: true } });
    const audio = await get('audio');
    const bytes = Buffer.from(await audio.arrayBuffer());
    expect([audio.status, audio.headers.get('content-type'), bytes.toString('latin1', 0, 4)]).toEqual([200, 'audio/flac', 'fLaC']);
    const part = await get('audio', { Range: 'bytes=4-9', 'If-Range': audio.headers.get('etag') ?? '' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-9/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(4, 10));
    expect((await get('audio', { 'If-None-Match': audio.headers.get('etag') ?? '' })).status).toBe(304);
  });

  test('is downloaded as the original', async () => {
    const download = await get('download');
    expect(download.headers.get('content-type')).toBe('audio/mp4');
    expect(Buffer.from(await download.arrayBuffer()).equals(original)).toBe(true);
  });

  test('has its copy in its folder, so that both are removed together, and both count', async () => {
    const stored = (await app.blobs()).filter((path) => path.includes(`/${alac.versionId}/`) && !path.includes('/peaks-'));
    expect(stored.map((path) => path.includes(`/${alac.versionId}/playback-`))).toEqual([false, true]);
    const copy = Buffer.from(await (await get('audio')).arrayBuffer());
    expect((await used()) - before).toBe(original.length + copy.length);
  });
});

describe('the peaks', () => {
  const peaks = (query = ''): Promise<Response> => uma.raw('GET', `/api/media/${created.versionId}/peaks${query}`);

  test('are immutable bytes with their own header', async () => {
    const answer = await peaks();
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'application/octet-stream',
      'private, max-age=31536000, immutable',
    ]);
    expect(answer.headers.get('etag')).not.toBeNull();
    expect([bytes.toString('latin1', 0, 4), bytes.readUInt16LE(4), bytes.readUInt16LE(6)]).toEqual(['RMPK', 1, 1]);
    const columns = bytes.readUInt32LE(12);
    expect(bytes.length).toBe(16 + columns * 3);
    expect(columns).toBe(Math.ceil(8_000 / bytes.readUInt32LE(8)));
    expect(columns).toBeLessThanOrEqual(2_000);
  });

  test('have as many levels as the version states', async () => {
    const last = await peaks(`?level=${version.peaksLevels - 1}`);
    expect([last.status, Buffer.from(await last.arrayBuffer()).readUInt32LE(8)]).toEqual([200, 256]);
    for (const level of [String(version.peaksLevels), '-1', '0.5', 'x'])
      expect((await uma.get(`/api/media/${created.versionId}/peaks?level=${level}`)).status).toBe(404);
  });
});
