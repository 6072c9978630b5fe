import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { usernameSlug } from '@roughmix/contracts/users/user.view.js';
import { derivedUsernames, isReservedUsername, usernameFrom } from '@roughmix/contracts/users/username.js';
import { Refused } from '../kernel/refusal.js';
import type { Clock } from '../platform/clock.js';
import { CLOCK } from '../platform/tokens.js';
import type { Account, SlugClaim } from './account-records.js';
import { Accounts, RESERVATION_MS } from './accounts.js';
import { looksOfficial } from './official-names.js';
import { UserStreams } from './user.streams.js';
import { UsersQueries } from './users.queries.js';

/** A username as someone chose it, null if they left it empty. @throws Refused `username.invalid`, `user.username-taken` for a reserved or official-looking one */
export function chosenUsername(text: string): string | null {
  if (text.trim() === '') return null;
  const username = usernameFrom(text);
  if (username === null) throw new Refused('username.invalid', { field: 'username' });
  if (isReservedUsername(username) || looksOfficial(username)) throw new Refused('user.username-taken', { field: 'username' });
  return username;
}

/** @throws Refused `name.reserved` if a full name looks like the operator's */
export function requireOwnName({ firstName, lastName }: { readonly firstName: string; readonly lastName: string }): void {
  if (looksOfficial(`${firstName} ${lastName}`)) throw new Refused('name.reserved', { field: 'firstName' });
}

/** Usernames that contain no name. They must not reveal the e-mail address either: anyone could test whether it was invited. */
function* madeUpUsernames(): Generator<string, never> {
  for (;;) yield `newcomer-${randomBytes(4).toString('hex')}`;
}

/**
 * Usernames for a person who chose none, best first and without end: derived from the names, or made up if there are none. A derived one may look official
 * although the full name does not, because it is cut to 30 characters and lacks some of them; then they are made up, too.
 */
export function* unchosenUsernames(names: { readonly firstName: string; readonly lastName: string }): Generator<string, never> {
  if (names.firstName !== '' || names.lastName !== '') {
    for (const username of derivedUsernames(names)) {
      if (looksOfficial(username)) break;
      yield username;
    }
  }
  return yield* madeUpUsernames();
}

/**
 * The slugs of people who rename themselves. A new slug is claimed before the event is appended, and settled afterwards; the account names each slug before
 * it is reserved, so that a crash in between leaves no reservation that nobody knows of.
 */
@Injectable()
export class Usernames {
  constructor(
    private readonly accounts: Accounts,
    private readonly streams: UserStreams,
    private readonly users: UsersQueries,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Reserves a username for a rename. False if its slug is taken, or it looks like another user's username. */
  async claim(username: string, uid: Uid): Promise<boolean> {
    if (await this.users.isLookalike(username, uid)) return false;
    const slug = usernameSlug(username);
    for (;;) {
      const account = await this.accounts.get(uid);
      if (account === null || account.body.state === 'erasing' || !(await this.accounts.isSlugFreeFor(slug, uid))) return false;
      // Also for a slug that the account has already: the log may have dropped it, and then only a claim keeps it.
      const others = (account.body.claims ?? []).filter((claim) => claim.slug !== slug);
      if (await this.accounts.change(account, { claims: [...others, { slug, at: this.clock() }] })) return this.accounts.reserveSlug(slug, uid);
    }
  }

  /**
   * Brings an account's slugs in line with the log: the current one, earlier ones, and claims of renames that may still happen.
   * @param abandoned a username whose claim has come to nothing
   */
  async settle(uid: Uid, abandoned: string | null = null): Promise<void> {
    for (;;) {
      const [account, person] = [await this.accounts.get(uid), await this.streams.person(uid)];
      if (account === null || person === null || account.body.state === 'erasing') return;
      const current = usernameSlug(person.username);
      // A restored log may know less than the account.
      const unknown = heldBy(account.body).filter(({ slug }) => !person.slugs.includes(slug));
      const claims = unknown.filter(({ slug, at }) => this.clock() - at < RESERVATION_MS && (abandoned === null || slug !== usernameSlug(abandoned)));
      const slugs = { usernameSlug: current, formerSlugs: person.slugs.filter((slug) => slug !== current), claims };
      if (isDeepStrictEqual(slugs, slugsOf(account.body))) return;
      for (const { slug } of unknown) if (!claims.some((claim) => claim.slug === slug)) await this.accounts.freeSlug(slug, uid);
      if (await this.accounts.change(account, slugs)) return;
    }
  }
}

const slugsOf = ({ usernameSlug: current, formerSlugs = [], claims = [] }: Account): Required<Pick<Account, 'usernameSlug' | 'formerSlugs' | 'claims'>> => ({
  usernameSlug: current,
  formerSlugs,
  claims,
});

function heldBy(account: Account): readonly SlugClaim[] {
  const { usernameSlug: current, formerSlugs, claims } = slugsOf(account);
  return [...[current, ...formerSlugs].map((slug) => ({ slug, at: 0 })), ...claims];
}
