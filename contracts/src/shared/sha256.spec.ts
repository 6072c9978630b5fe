import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { sha256 } from './sha256.js';

const ofNode = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

test('the hash of an empty text and of "abc" are those of FIPS 180-4', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('texts of every length around the block size have the hash that Node computes', () => {
  for (let length = 0; length <= 200; length += 1) {
    const text = Array.from({ length }, (_, at) => String.fromCodePoint(32 + ((at * 7 + length) % 95))).join('');
    expect(sha256(text)).toBe(ofNode(text));
  }
});

test.each(['é', 'Überarbeitung – 3', '音楽のメモ', '🎛️ und 🥁', '\u{10ffff}', '\u0000\n\t', 'a\ud800b', '\udc00', 'ü音🎧'.repeat(15_000)])(
  'text beyond ASCII has the hash that Node computes (%#)',
  (text) => expect(sha256(text)).toBe(ofNode(text)),
);
