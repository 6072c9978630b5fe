import { withoutControls, withoutDirections } from '@roughmix/contracts/shared/visible-text.js';

/** Without marks that change the direction of the text around them, and without byte order marks. */
const withoutMarks = (text: string): string => withoutDirections(text).replaceAll('\ufeff', '');

/** A text on one line: line breaks, tabs and control characters become spaces; direction marks are removed. */
export const singleLine = (text: string): string =>
  withoutMarks(text)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** A text with its lines, each ended by a line feed, without other control characters and without direction marks. */
export const plainLines = (text: string): string => withoutControls(withoutMarks(text)).trim();
