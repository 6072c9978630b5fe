import { createRequire } from 'node:module';
import type { UserNames } from '@roughmix/contracts/users/user.events.js';
import { usernameSlug } from '@roughmix/contracts/users/user.view.js';

const require = createRequire(import.meta.url);

/** Unicode's confusable characters (UTS 39), each with the one that represents all that look like it. */
const PROTOTYPES = require('unhomoglyph/data.json') as Readonly<Record<string, string>>;

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** What texts that look alike have in common: the skeleton of UTS 39, of the compatibility form. Not for display. */
export function skeleton(text: string): string {
  const characters = Array.from(text.normalize('NFKD').replace(IGNORABLE, ''));
  return characters
    .map((character) => PROTOTYPES[character] ?? character)
    .join('')
    .normalize('NFKD');
}

/**
 * The keys by which usernames that look like someone's are found: of the username as it is shown, in which a capital I looks like a small L, and of their slugs.
 * Changes of the rules or of Unicode's table need a new version of the users projector.
 */
export const lookalikeKeys = ({ username }: Pick<UserNames, 'username'>, slugs: readonly string[] = [usernameSlug(username)]): readonly string[] =>
  username === '' ? [] : [`shown ${skeleton(username)}`, ...slugs.map((slug) => `slug ${skeleton(slug)}`)];
