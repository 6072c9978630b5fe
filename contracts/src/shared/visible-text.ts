/** White space and what Unicode calls ignorable, and two characters that it does not: an empty Braille cell and a null note head. */
const INVISIBLE = /[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{1d159}]/gu;

/** Whether a text shows nothing: it has only white space, control and format characters, and fillers. It counts as empty. */
export const showsNothing = (text: string): boolean => text.replace(INVISIBLE, '') === '';

/** A text without white space around it; '' if it shows nothing. */
export const trimmed = (text: string): string => (showsNothing(text) ? '' : text.trim());

/** A text as it is stored: each line ends with a line feed, and there are no control characters but tabs. */
export const withoutControls = (text: string): string => text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');

const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Without the marks, embeddings, overrides and isolates that change the direction of the text around them. */
export const withoutDirections = (text: string): string => text.replaceAll(DIRECTIONS, '');

const FROM_RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069'];

/** A name or a title for a sentence that is plain text: it is displayed in its own direction and leaves that of the text around it alone. */
export const isolated = (text: string): string =>
  text.search(DIRECTIONS) >= 0 || FROM_RIGHT_TO_LEFT.test(text) ? `${FIRST_STRONG_ISOLATE}${text.replace(/[\u2066-\u2069]/g, '')}${POP_ISOLATE}` : text;

let segmenter: Intl.Segmenter | undefined;

/** The beginning of a text, at most `most` UTF-16 units long. It ends with a whole grapheme, so it may be shorter. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  // Firefox has Intl.Segmenter from version 125 on.
  if (!('Segmenter' in Intl)) return text.slice(0, most).replace(/\p{Surrogate}$/u, '');
  segmenter ??= new Intl.Segmenter();
  return text.slice(0, segmenter.segment(text).containing(most)?.index);
}
