import { EVERYONE } from '@roughmix/contracts/shared/mentions.js';
import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';

/** Somebody, or everybody, who can be mentioned. */
export interface Mentionable {
  readonly username: string;
  readonly name: string;
  readonly photo: string | null;
}

/** A mention that is being typed. */
export interface MentionQuery {
  /** Where its @ stands. */
  readonly start: number;
  /** What stands between the @ and the caret. */
  readonly words: string;
}

const LONGEST_NAME = 30;

/** The members other than the writer, and Everyone. */
export const mentionablesOf = (members: readonly PersonView[], writer: string): readonly Mentionable[] => [
  ...members.filter(({ uid }) => uid !== writer).map((person) => ({ username: person.username, name: fullName(person), photo: person.smallPhoto })),
  { username: EVERYONE, name: EVERYONE, photo: null },
];

/** The mention that ends at the caret, if one is being typed there. */
export function mentionAt(text: string, caret: number): MentionQuery | null {
  const start = text.lastIndexOf('@', caret - 1);
  if (start === -1 || caret - start > LONGEST_NAME + 1) return null;
  const before = text[start - 1];
  const words = text.slice(start + 1, caret);
  if ((before !== undefined && /[\p{L}\p{N}_@]/u.test(before)) || /[\n@]|^\s/.test(words)) return null;
  return { start, words };
}

/** Who fits what was typed so far: by the beginning of the username or of a part of the name. */
export function fitting(people: readonly Mentionable[], { words }: MentionQuery): readonly Mentionable[] {
  const typed = words.toLowerCase();
  return people.filter(({ username, name }) => username.toLowerCase().startsWith(typed) || ` ${name.toLowerCase()}`.includes(` ${typed}`));
}
