/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
const ROUND_CONSTANTS = fractionsOf(64, Math.cbrt);
/** The same of the square roots of the first 8 primes (5.3.3). */
const INITIAL = fractionsOf(8, Math.sqrt);
const BLOCK_BYTES = 64;

function fractionsOf(count: number, root: (prime: number) => number): Uint32Array {
  const fractions: number[] = [];
  for (let number = 2; fractions.length < count; number += 1) {
    let divisor = 2;
    while (number % divisor !== 0) divisor += 1;
    if (divisor === number) fractions.push(Math.floor((root(number) % 1) * 2 ** 32));
  }
  return Uint32Array.from(fractions);
}

/** A text's bytes in UTF-8. Half a surrogate pair becomes U+FFFD, as everywhere. */
function utf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const point = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
    if (point < 0x80) bytes[length++] = point;
    else {
      const more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
      bytes[length++] = ((0xff00 >> (more + 1)) & 0xff) | (point >> (6 * more));
      for (let at = more - 1; at >= 0; at -= 1) bytes[length++] = 0x80 | ((point >> (6 * at)) & 0x3f);
    }
  }
  return bytes.subarray(0, length);
}

/** The message with its end mark and its length in bits (5.1.1). */
function padded(message: Uint8Array): DataView {
  const length = Math.ceil((message.length + 9) / BLOCK_BYTES) * BLOCK_BYTES;
  const bytes = new Uint8Array(length);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(length - 4, message.length * 8);
  return view;
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The message schedule of a block (6.2.2, 1). */
function schedule(words: Uint32Array, view: DataView, block: number): void {
  for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(block + 4 * at);
  for (let at = 16; at < 64; at += 1) {
    const [early, late] = [words[at - 15] ?? 0, words[at - 2] ?? 0];
    const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const two = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[at] = (words[at - 16] ?? 0) + one + (words[at - 7] ?? 0) + two;
  }
}

/** Adds a block to the state (6.2.2, 2 to 4). */
function compress(state: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + (ROUND_CONSTANTS[at] ?? 0) + (words[at] ?? 0);
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + word;
}

/** The SHA-256 of a text's UTF-8 bytes in lower-case hex. Our own, because deciders and pages without TLS have no synchronous one. */
export function sha256(text: string): string {
  const view = padded(utf8(text));
  const state = Uint32Array.from(INITIAL);
  const words = new Uint32Array(64);
  for (let block = 0; block < view.byteLength; block += BLOCK_BYTES) {
    schedule(words, view, block);
    compress(state, words);
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}
