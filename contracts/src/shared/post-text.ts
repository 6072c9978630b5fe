import { LIMITS } from './limits.js';
import { piecesOf } from './mentions.js';
import { cutText } from './visible-text.js';

/** Converts wire text back to typed text: mentions become `@name`. */
export const toTyped = (wire: string): string =>
  piecesOf(wire)
    .map(({ kind, text }) => (kind === 'mention' ? `@${text}` : text))
    .join('');

const onOneLine = (wire: string): string => toTyped(wire).replaceAll(/\s+/g, ' ').trim();

/** A wire text as notifications quote it: on one line, cut with '…' after at most `length` UTF-16 units, but never within a grapheme. */
export function quoteOf(wire: string, length: number = LIMITS.quote): string {
  const text = onOneLine(wire);
  return text.length > length ? `${cutText(text, length)}…` : text;
}

/** The beginning of a wire text on one line, at most `length` UTF-16 units. */
export function textStart(wire: string, length: number): string {
  const text = onOneLine(wire);
  return text.length > length ? `${cutText(text, length - 1).trimEnd()}…` : text;
}
