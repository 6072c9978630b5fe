import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startStubServer, type StubServer } from '../../../testing/stub-server';
import { AudioRefused, fetchAudio } from './fetch-audio';

const PATH = '/api/media/v1/audio';
const FILE = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({});
});
afterEach(() => server.close());

const download = () => fetchAudio(PATH, { signal: new AbortController().signal, retryDelaysMs: [0, 0] });
const ranges = () => server.requests.map(({ headers }) => headers.range ?? null);
/** Announces the whole file and ends the connection after the first part. */
const brokenOff = (etag: string) => ({ bytes: FILE.subarray(0, 40_000), headers: { ETag: etag, 'Content-Length': String(FILE.length), Connection: 'close' } });

test('an interrupted download resumes where it stopped', async () => {
  server.answer({
    [`GET ${PATH}`]: ({ headers }) =>
      headers.range === undefined ? brokenOff('"a"') : { status: 206, bytes: FILE.subarray(Number(/\d+/.exec(headers.range)?.[0])), headers: { ETag: '"a"' } },
  });

  expect(new Uint8Array(await download())).toEqual(FILE);
  expect(ranges()[0]).toBeNull();
  expect(ranges()[1]).toMatch(/^bytes=[1-9]\d*-$/);
});

test('a file that has changed in the meantime is downloaded from the start', async () => {
  const changed = FILE.map((byte) => byte ^ 1);
  let requests = 0;
  server.answer({
    [`GET ${PATH}`]: ({ headers }) => {
      requests += 1;
      if (requests === 1) return brokenOff('"a"');
      return headers.range === undefined
        ? { bytes: changed, headers: { ETag: '"b"' } }
        : { status: 206, bytes: changed.subarray(40_000), headers: { ETag: '"b"' } };
    },
  });

  expect(new Uint8Array(await download())).toEqual(changed);
});

test('an unreachable server is retried, and the download fails after the last attempt', async () => {
  server.answer({ [`GET ${PATH}`]: () => ({ status: 503, json: {} }) });

  await expect(download()).rejects.toThrow('audio answered with status 503');
  expect(server.requests).toHaveLength(3);
});

test('a refusal is not retried', async () => {
  server.answer({ [`GET ${PATH}`]: () => ({ status: 404, json: {} }) });

  await expect(download()).rejects.toEqual(new AudioRefused(404));
  expect(server.requests).toHaveLength(1);
});

test('an expired storage URL is replaced once', async () => {
  const moved = { status: 302, headers: { Location: '/storage/v1' } };
  let requests = 0;
  server.answer({
    [`GET ${PATH}`]: () => moved,
    'GET /storage/v1': () => ((requests += 1) === 1 ? { status: 403, json: {} } : { bytes: FILE }),
  });

  expect(new Uint8Array(await download())).toEqual(FILE);
});

test('a file missing from storage is not a refusal, and is retried once', async () => {
  server.answer({ [`GET ${PATH}`]: () => ({ status: 302, headers: { Location: '/storage/v1' } }), 'GET /storage/v1': () => ({ status: 404, json: {} }) });

  await expect(fetchAudio(PATH, { signal: new AbortController().signal, retryDelaysMs: [0, 0, 0, 0] })).rejects.toThrow('the storage answered with status 404');
  expect(server.requests).toHaveLength(4);
});

test('a request without a response is retried', async () => {
  let requests = 0;
  const never = new Promise<never>(() => undefined);
  server.answer({ [`GET ${PATH}`]: () => ((requests += 1) === 1 ? never : { bytes: FILE }) });

  expect(new Uint8Array(await fetchAudio(PATH, { signal: new AbortController().signal, retryDelaysMs: [0], stalledMs: 300 }))).toEqual(FILE);
});
