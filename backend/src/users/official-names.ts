import { skeleton } from './lookalikes.js';

/** Words that only the operator, or the program itself, may be called. */
const OFFICIAL = [
  'abuse admin admins administrator administrators billing help helpdesk moderator moderators noreply official operator operators payments postmaster',
  'privacy removeduser root roughmix security staff support sysadmin system unknownuser webmaster',
].flatMap((line) => line.split(' '));

/** Words that change nothing about them. */
const COMPANIONS =
  'account accounts and center centre contact customer department desk info legal mail notifications of safety service services team tech the trust'.split(' ');

/** Compared without accents, case, and what stands between words; digits at the end are left out. */
function plain(text: string): string {
  const characters = Array.from(text.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, ''));
  const last = characters.findLastIndex((character) => !/\p{N}/u.test(character));
  return skeleton(characters.slice(0, last + 1).join('')).toLowerCase();
}

const PRODUCT = plain('Roughmix');

const WORDS: readonly (readonly [word: string, isOfficial: boolean])[] = [
  ...OFFICIAL.map((word) => [plain(word), true] as const),
  ...COMPANIONS.map((word) => [plain(word), false] as const),
];

/** Whether a text is a row of these words, one of them official. */
function isMadeOfWords(text: string): boolean {
  /** Where rows of words end, and whether one has an official word. */
  const ends = new Map([[0, false]]);
  for (let end = 0; end < text.length; end += 1) {
    const before = ends.get(end);
    if (before === undefined) continue;
    for (const [word, isOfficial] of WORDS) {
      if (text.startsWith(word, end)) ends.set(end + word.length, before || isOfficial || ends.get(end + word.length) === true);
    }
  }
  return ends.get(text.length) === true;
}

/**
 * Whether a username or full name looks like the operator's: 'support', 'Roughmix Support', 'аdmin' with a Cyrillic letter, and everything with the product's name.
 * A capital I can look like a small L, so the text is looked at as typed and in lower case.
 */
export const looksOfficial = (name: string): boolean => [plain(name), plain(name.toLowerCase())].some((text) => text.includes(PRODUCT) || isMadeOfWords(text));
