import { expect, test } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { SerializedAnswer, acceptsGzip } from './serialized-answer.js';

const LONG = { words: 'la '.repeat(1_000) };

test('an answer is packed for whoever unpacks it, and worth it; the octets are made once', async () => {
  const ready = new SerializedAnswer(LONG);
  const plain = await ready.bytes(false);
  expect([JSON.parse(String(plain.bytes)), plain.isCompressed]).toEqual([LONG, false]);
  const packed = await ready.bytes(true);
  expect([JSON.parse(String(gunzipSync(packed.bytes))), packed.isCompressed]).toEqual([LONG, true]);
  expect((await ready.bytes(true)).bytes).toBe(packed.bytes);
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
