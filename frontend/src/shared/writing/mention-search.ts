import { EVERYONE } from '@roughmix/contracts/shared/mentions.js';
import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';

/** A person who can be mentioned, or Everyone. */
export interface Mentionable {
  readonly username: string;
  readonly name: string;
  /** null for Everyone. */
  readonly photo: string | null;
}

/** A mention that is being typed. */
export interface MentionQuery {
  /** The index of its @. */
  readonly start: number;
  /** The text between the @ and the caret. */
  readonly words: string;
}

const LONGEST_NAME = 30;

/** All members but the writer, and Everyone. */
export const mentionablesOf = (members: readonly PersonView[], writer: string): readonly Mentionable[] => [
  ...members.filter(({ uid }) => uid !== writer).map((person) => ({ username: person.username, name: fullName(person), photo: person.smallPhoto })),
  { username: EVERYONE, name: EVERYONE, photo: null },
];

/** The mention that is being typed at the caret, if there is one. */
export function mentionAt(text: string, caret: number): MentionQuery | null {
  const start = text.lastIndexOf('@', caret - 1);
  if (start === -1 || caret - start > LONGEST_NAME + 1) return null;
  const before = text[start - 1];
  const words = text.slice(start + 1, caret);
  if ((before !== undefined && /[\p{L}\p{N}_@]/u.test(before)) || /[\n@]|^\s/.test(words)) return null;
  return { start, words };
}

/** The people whose username, or a part of whose name, begins with what was typed. */
export function matching(people: readonly Mentionable[], { words }: MentionQuery): readonly Mentionable[] {
  const typed = words.toLowerCase();
  return people.filter(({ username, name }) => username.toLowerCase().startsWith(typed) || ` ${name.toLowerCase()}`.includes(` ${typed}`));
}
