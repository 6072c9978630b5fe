/** Unicode white space, and what JavaScript's `\s` adds to it (the byte order mark). */
const WHITE_SPACE = /[\s\p{White_Space}]/u;

/** Whether a text contains any kind of space: names and passwords may not. */
export const hasWhiteSpace = (text: string): boolean => WHITE_SPACE.test(text);
