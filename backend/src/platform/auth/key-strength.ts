const MIN_BITS = 128;
const MIN_DISTINCT = 8;

/** Common encodings of random bytes and the size of their alphabets, smallest first. Other texts count as printable ASCII. */
const ALPHABETS: readonly (readonly [pattern: RegExp, size: number])[] = [
  [/^\d+$/, 10],
  [/^[\da-f]+$/i, 16],
  [/^(?:[\da-z]+|[\dA-Z]+)$/, 36],
  [/^[\dA-Za-z]+$/, 62],
  [/^[\w+/=-]+$/, 64],
];
const PRINTABLE_SIZE = 94;

/** The error text for a weak key; the name of the variable or file goes before it. */
export const KEY_REQUIREMENT = 'at least 128 random bits: 22 characters or more of letters of both cases and digits, 32 of hexadecimal, without repetition';

/**
 * Whether a text can hold 128 random bits: it is long enough for its smallest matching alphabet, has at least eight distinct characters and does not
 * repeat one piece. Human-made texts may pass; random keys practically always do.
 */
export function isStrongKey(text: string): boolean {
  const size = ALPHABETS.find(([pattern]) => pattern.test(text))?.[1] ?? PRINTABLE_SIZE;
  return text.length * Math.log2(size) >= MIN_BITS && new Set(text).size >= MIN_DISTINCT && !isRepeated(text);
}

/** A text is one piece repeated if and only if it occurs in its own doubling, apart from the start and the end. */
const isRepeated = (text: string): boolean => (text + text).slice(1, -1).includes(text);
