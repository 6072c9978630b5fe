import { piecesOf } from './mentions.js';

/** Converts wire text back to typed text: mentions become `@name`. */
export const toTyped = (wire: string): string =>
  piecesOf(wire)
    .map(({ kind, text }) => (kind === 'mention' ? `@${text}` : text))
    .join('');

/** The beginning of a wire text on one line, at most `length` characters. */
export function textStart(wire: string, length: number): string {
  const text = toTyped(wire).replaceAll(/\s+/g, ' ').trim();
  // The cut may leave half of a surrogate pair.
  return text.length > length
    ? `${text
        .slice(0, length - 1)
        .replace(/\p{Surrogate}$/u, '')
        .trimEnd()}…`
    : text;
}
