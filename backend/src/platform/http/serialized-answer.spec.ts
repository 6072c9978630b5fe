import { expect, test } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { SerializedAnswer, acceptsGzip } from './serialized-answer.js';

const LONG = { words: 'la '.repeat(1_000) };

test('an answer is compressed once, if the client accepts gzip and it is long enough', async () => {
  const answer = new SerializedAnswer(LONG);
  const plain = await answer.bytes(false);
  expect([JSON.parse(String(plain.bytes)), plain.isCompressed]).toEqual([LONG, false]);
  const compressed = await answer.bytes(true);
  expect([JSON.parse(String(gunzipSync(compressed.bytes))), compressed.isCompressed]).toEqual([LONG, true]);
  expect((await answer.bytes(true)).bytes).toBe(compressed.bytes);
  expect(await new SerializedAnswer({ short: true }).bytes(true)).toMatchObject({ isCompressed: false });
});

test.each([
  ['gzip', true],
  ['gzip, deflate, br, zstd', true],
  ['br;q=1.0, GZIP;q=0.5', true],
  ['deflate, x-gzip', true],
  ['gzip;q=1.000', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000', false],
  ['br', false],
  ['*', false],
  ['gzipped', false],
  ['', false],
  [undefined, false],
])('a client that accepts %j is sent gzip: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});
