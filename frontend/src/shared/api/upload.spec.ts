import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Answer, startStubServer, type StubServer } from '../../testing/stub-server';
import { uploadFile, UPLOAD_POLICY } from './upload';

const QUICK = { stallMs: 30_000, repeatDelaysMs: [1, 1, 1] };
const mix = new File([new Uint8Array(5_000)], 'mix.wav', { type: 'audio/wav' });
let server: StubServer;
let puts: (Answer | Promise<Answer>)[];
const badGateway: Answer = { status: 502, bytes: new Uint8Array(3), headers: { 'Content-Type': 'text/html' } };

/** The nth upload is put to the nth address; `puts` are the answers. */
beforeEach(async () => {
  puts = [];
  const announced = () => server.requests.filter(({ method }) => method === 'POST').length;
  server = await startStubServer({
    'POST /api/storage/uploads': () => ({
      status: 201,
      json: { uploadId: `u${announced()}`, versionId: `v${announced()}`, url: `/api/storage/${announced()}`, method: 'PUT', headers: {}, expiresAt: 0 },
    }),
    'PUT /api/storage/:nth': (_request, [nth]) => puts[Number(nth) - 1] ?? { status: 204 },
  });
});
afterEach(() => server.close());

const sent = () => server.requests.map(({ method, path }) => `${method} ${path}`);
const closing = () => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
};

test('an interrupted upload is repeated whole, as a new upload', async () => {
  puts = ['hang up', badGateway];
  const repeats: number[] = [];
  expect(await uploadFile(mix, { purpose: 'version' }, { onRepeat: (repeat) => repeats.push(repeat) }, QUICK)).toEqual({ uploadId: 'u3', versionId: 'v3' });
  expect(repeats).toEqual([1, 2]);
  expect(sent()).toEqual([
    'POST /api/storage/uploads',
    'PUT /api/storage/1',
    'POST /api/storage/uploads',
    'PUT /api/storage/2',
    'POST /api/storage/uploads',
    'PUT /api/storage/3',
  ]);
  expect(server.requests.at(-1)?.text).toHaveLength(5_000);
});

test('one that makes no progress is aborted and repeated', async () => {
  let release = (): void => undefined;
  puts = [new Promise<Answer>((resolve) => (release = () => resolve({ status: 204 })))];
  expect(await uploadFile(mix, { purpose: 'version' }, {}, { ...QUICK, stallMs: 300 })).toEqual({ uploadId: 'u2', versionId: 'v2' });
  release();
});

test('after three repeats it fails', async () => {
  puts = [badGateway, badGateway, badGateway, badGateway];
  await expect(uploadFile(mix, { purpose: 'version' }, {}, QUICK)).rejects.toThrow('Roughmix cannot be reached right now.');
  expect(sent().filter((line) => line.startsWith('PUT'))).toHaveLength(4);
  expect(UPLOAD_POLICY).toEqual({ stallMs: 30_000, repeatDelaysMs: [1_000, 4_000, 10_000] });
});

test('a refusal is not repeated', async () => {
  puts = [{ status: 413, bytes: new TextEncoder().encode('<h1>413</h1>'), headers: { 'Content-Type': 'text/html' } }];
  await expect(uploadFile(mix, { purpose: 'version' }, {}, QUICK)).rejects.toThrow('A proxy between you and Roughmix does not accept files of this size.');
  expect(sent()).toEqual(['POST /api/storage/uploads', 'PUT /api/storage/1']);
});

test('a cancel ends it between two attempts', async () => {
  puts = [badGateway];
  const cancel = new AbortController();
  const upload = uploadFile(mix, { purpose: 'version' }, { onRepeat: () => cancel.abort(), signal: cancel.signal }, { ...QUICK, repeatDelaysMs: [60_000] });
  await expect(upload).rejects.toHaveProperty('name', 'AbortError');
});

test('the browser asks before the tab is closed during an upload', async () => {
  const asked: boolean[] = [];
  await uploadFile(mix, { purpose: 'version' }, { onProgress: () => asked.push(closing()) }, QUICK);
  expect(asked).toContain(true);
  expect(asked).not.toContain(false);
  expect(closing()).toBe(false);
});
