import { expect, test } from '@jest/globals';
import { sha256 } from './sha256.js';

test('the hashes of an empty text and of "abc" are those of FIPS 180-4', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('texts of every length around the block size hash to what OpenSSL computes', () => {
  let chain = '';
  for (let length = 0; length <= 200; length += 1) {
    chain = sha256(chain + Array.from({ length }, (_, at) => String.fromCodePoint(32 + ((at * 7 + length) % 95))).join(''));
  }
  expect(chain).toBe('2b0e496b597bfb61ba8fe5bb172f5dad62e93fc077be495ffca70ed61539c5ff');
});

test.each([
  ['é', '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c'],
  ['Überarbeitung – 3', '33b6310a9052440d45a41277d726ac6ce7f7156781d9e1700e877c071d02c2c1'],
  ['音楽のメモ', '7edbbea3092015ae3a418d1cfe9bb40369755d0705f79fb5fa6dd32de57bcf2c'],
  ['🎛️ und 🥁', '2a1a7a2143b373e8bd9bf1358de70e5d6875fa04a4c933f841ae2bff7992e9f5'],
  ['\u{10ffff}', '708b8add9f6b5b556a07b72973b10ff9a3ec30e002034ef24aa076fab4b40e50'],
  ['\u0000\n\t', '08b3455e8a9815c74a47323e8b3d1a346456e0685283b47aed0475cd11a5a7cb'],
  ['a\ud800b', '05087813392efc16fe8ff448920c6328e53af865df39419436659d9ffda90f7b'],
  ['ü音🎧'.repeat(15_000), 'c0c5548a65bb3faefb688da78c7873313427981761423fe98d87515ce64345e7'],
])('text beyond ASCII hashes to what OpenSSL computes (%#)', (text, expected) => expect(sha256(text)).toBe(expected));
