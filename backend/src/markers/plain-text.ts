/** Marks that change the direction of the text around them, and the byte order mark. */
const INVISIBLE = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const LINE_BREAK = /\r\n?|[\n\u0085\u2028\u2029]/gu;

/** A text on one line: line breaks, tabs and control characters become spaces; direction marks are removed. */
export const singleLine = (text: string): string =>
  text
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** A text with its lines, each ended by a line feed, without other control characters and without direction marks. */
export const plainLines = (text: string): string =>
  text
    .replaceAll(INVISIBLE, '')
    .replaceAll(LINE_BREAK, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trim();
