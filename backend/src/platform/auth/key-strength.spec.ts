import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { isStrongKey } from './key-strength.js';

test.each<[key: string, isStrong: boolean, why: string]>([
  ['', false, 'empty'],
  ['Zk3vQ9xLm2Rt7Yw5Hc8Np', false, '21 characters of base64: 125 bits'],
  ['Zk3vQ9xLm2Rt7Yw5Hc8Np1', true, '22 letters and digits: 130 bits'],
  ['0f3a9c5e7b2d8146f0a3', false, '20 hexadecimal digits: 80 bits'],
  ['0f3a9c5e7b2d8146f0a3c9e5', false, '24 hexadecimal digits: 96 bits'],
  ['P7CHOWQ6EB0O9K6NFI4TTQ', false, '22 letters of one case and digits: 113 bits'],
  ['0f3a9c5e7b2d8146f0a3c9e5b7d28416', true, '32 hexadecimal digits: 128 bits'],
  ['31415926535897932384626433832795', false, '32 digits: 106 bits'],
  ['314159265358979323846264338327950288419', true, '39 digits: 129 bits'],
  ['a'.repeat(500), false, 'one repeated character'],
  ['abcdefg'.repeat(10), false, 'seven distinct characters'],
  ['Zk3vQ9xLm2Rt'.repeat(3), false, '71 bits, three times'],
])('%j: %s (%s)', (key, isStrong) => {
  expect(isStrongKey(key)).toBe(isStrong);
});

test('20 random bytes are strong in every common encoding', () => {
  for (let round = 0; round < 1_000; round += 1) {
    const bytes = randomBytes(20);
    const encoded = (['hex', 'base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding));
    expect(encoded.filter((key) => !isStrongKey(key))).toEqual([]);
  }
});
