import { LIMITS } from './limits.js';
import { piecesOf } from './mentions.js';

/** Converts wire text back to typed text: mentions become `@name`. */
export const toTyped = (wire: string): string =>
  piecesOf(wire)
    .map(({ kind, text }) => (kind === 'mention' ? `@${text}` : text))
    .join('');

const onOneLine = (wire: string): string => toTyped(wire).replaceAll(/\s+/g, ' ').trim();

/** A wire text as notifications quote it: on one line, cut with '…' after `length` UTF-16 units, but never within a surrogate pair. */
export function quoteOf(wire: string, length: number = LIMITS.quote): string {
  const text = onOneLine(wire);
  return text.length > length ? `${text.slice(0, length).replace(/\p{Surrogate}$/u, '')}…` : text;
}

/** The beginning of a wire text on one line, at most `length` characters. */
export function textStart(wire: string, length: number): string {
  const text = onOneLine(wire);
  // The cut may leave half of a surrogate pair.
  return text.length > length
    ? `${text
        .slice(0, length - 1)
        .replace(/\p{Surrogate}$/u, '')
        .trimEnd()}…`
    : text;
}
