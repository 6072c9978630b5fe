const BITS = 128;
const LEAST_DIFFERENT = 8;

/** The usual ways to write random octets, by how many characters each has; whatever fits none is taken for printable ASCII. */
const ALPHABETS: readonly (readonly [form: RegExp, size: number])[] = [
  [/^\d+$/, 10],
  [/^[\da-f]+$/i, 16],
  [/^(?:[\da-z]+|[\dA-Z]+)$/, 36],
  [/^[\dA-Za-z]+$/, 62],
  [/^[\w+/=-]+$/, 64],
];
const PRINTABLE = 94;

/** What a key that is refused is told, with the variable's or the file's name before it. */
export const KEY_REQUIREMENT = 'at least 128 random bits: 22 characters or more of letters of both cases and digits, 32 of hexadecimal, without repetition';

/**
 * Whether a text may hold 128 random bits: long enough in the smallest alphabet that it fits, of eight different characters or more, and not one piece
 * again and again. A text that somebody made up cannot be told from a random one; a made key is always strong.
 */
export function isStrongKey(text: string): boolean {
  const size = ALPHABETS.find(([form]) => form.test(text))?.[1] ?? PRINTABLE;
  return text.length * Math.log2(size) >= BITS && new Set(text).size >= LEAST_DIFFERENT && !isRepeated(text);
}

/** A text that lies within itself doubled, but for both ends, is one piece repeated. */
const isRepeated = (text: string): boolean => (text + text).slice(1, -1).includes(text);
