import { expect, test } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { ReadyAnswer, takesGzip } from './ready-answer.js';

const LONG = { words: 'la '.repeat(1_000) };

test('an answer is packed for whoever unpacks it, and worth it; the octets are made once', async () => {
  const ready = new ReadyAnswer(LONG);
  const plain = await ready.octets(false);
  expect([JSON.parse(String(plain.octets)), plain.isPacked]).toEqual([LONG, false]);
  const packed = await ready.octets(true);
  expect([JSON.parse(String(gunzipSync(packed.octets))), packed.isPacked]).toEqual([LONG, true]);
  expect((await ready.octets(true)).octets).toBe(packed.octets);
  expect(await new ReadyAnswer({ short: true }).octets(true)).toMatchObject({ isPacked: false });
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
  expect(takesGzip(header)).toBe(expected);
});
