import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { DEFAULT_SETTINGS, fullName, type PersonView, UNKNOWN_USER, type UserSettings, usernameSlug } from '@roughmix/contracts/users/user.view.js';
import { Refused } from '../kernel/refusal.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { type Blocked, BlocksQueries } from '../blocks/blocks.queries.js';
import { ConnectionsQueries } from '../profiles/connections.queries.js';
import { lookalikeKeys } from './lookalikes.js';
import { type ProfileDocument, PROFILES, searchForm, searchKeysOf, type UserDocument, USERS } from './users.documents.js';

/** A user as stored, for {@link personView}. */
export type StoredUser = UserDocument;

/** Users by uid; a missing one is shown as an unknown user. */
export type People = (uid: Uid) => PersonView;

/** A user as others see them, with their photo or the face drawn from the uid. */
export function personView(user: Pick<UserDocument, 'uid' | 'username' | 'firstName' | 'lastName' | 'photo'>): PersonView {
  const { uid, username, firstName, lastName, photo } = user;
  const face = USER_PATHS.photo(uid);
  const smallPhoto = photo === null ? face : USER_PATHS.image(uid, photo.small);
  const largePhoto = photo === null ? face : USER_PATHS.image(uid, photo.large);
  return { _id: uid, uid, username, firstName, lastName, smallPhoto, largePhoto, photoURL: smallPhoto };
}

/** Whether a user has a profile that others may see. */
const hasProfile = ({ guest, erased, isComplete }: Pick<UserDocument, 'guest' | 'erased' | 'isComplete'>): boolean => !guest && !erased && isComplete;

/** Whether a caller sees a user's profile; null without a session. Their own they see before it is complete. */
export const isProfileShownTo = (caller: Uid | null, user: UserDocument): boolean => hasProfile(user) || (user.uid === caller && !user.guest && !user.erased);

const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const unknown = (uid: Uid): PersonView => personView({ uid, username: UNKNOWN_USER, firstName: '', lastName: '', photo: null });

@Injectable()
export class UsersQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly connections: ConnectionsQueries,
    private readonly blocks: BlocksQueries,
  ) {}

  async people(uids: Iterable<Uid>): Promise<People> {
    const found = await this.reads.getMany<UserDocument>(USERS, [...new Set(uids)]);
    const views = new Map(found.map((user) => [user.uid, personView(user)]));
    return (uid) => views.get(uid) ?? unknown(uid);
  }

  async one(uid: Uid): Promise<UserDocument | null> {
    return this.reads.get<UserDocument>(USERS, uid);
  }

  /** Those of the users who have a profile that others see, by first and last name (else username) without case and accents, then uid. */
  async byName(uids: readonly Uid[]): Promise<readonly PersonView[]> {
    const found = await this.reads.getMany<UserDocument>(USERS, uids);
    const named = found.filter(hasProfile).map((user) => [searchForm(fullName(user)), user] as const);
    return named.toSorted(([name, { uid }], [otherName, other]) => inOrder(name, otherName) || inOrder(uid, other.uid)).map(([, user]) => personView(user));
  }

  /** Those of the users who hide from searches. */
  async hiding(uids: readonly Uid[]): Promise<readonly Uid[]> {
    const found = await this.reads.getMany<UserDocument>(USERS, uids);
    return found.filter(({ isHiddenFromSearch }) => isHiddenFromSearch).map(({ uid }) => uid);
  }

  /** What others do not see of a user; null for an unknown or erased one. */
  async profile(uid: Uid): Promise<ProfileDocument | null> {
    return this.reads.get<ProfileDocument>(PROFILES, uid);
  }

  /** Everyone who gets the daily digest. */
  async *wantingDigest(): AsyncGenerator<Uid> {
    const found = this.reads.findAll<ProfileDocument>(PROFILES, { field: 'wantsDigest', value: true }, ({ uid }) => ({ id: uid, sort: uid }));
    for await (const { uid } of found) yield uid;
  }

  /** The settings of users; the default ones for an unknown or erased one. */
  async settings(uids: readonly Uid[]): Promise<(uid: Uid) => UserSettings> {
    const found = await this.reads.getManyById<ProfileDocument>(PROFILES, uids);
    return (uid) => found.get(uid)?.settings ?? DEFAULT_SETTINGS;
  }

  /** The user who has a username with this slug, or had and chose it; null if there is none. */
  async bySlug(slug: string): Promise<UserDocument | null> {
    const [found = null] = await this.reads.find<UserDocument>(USERS, { where: { field: 'slugs', value: usernameSlug(slug) }, limit: 1 });
    return found;
  }

  /** Whether a username looks like one that another user has. Two such names that are taken at the same moment do not find each other. */
  async isLookalike(username: string, uid: Uid): Promise<boolean> {
    for (const value of lookalikeKeys({ username })) {
      const found = await this.reads.find<UserDocument>(USERS, { where: { field: 'lookalikeKeys', value }, limit: 2 });
      if (found.some((other) => other.uid !== uid)) return true;
    }
    return false;
  }

  /** The subset of the uids that can be invited. */
  async invitable(uids: readonly Uid[]): Promise<ReadonlySet<Uid>> {
    const found = await this.reads.getMany<UserDocument>(USERS, uids);
    return new Set(found.filter((user) => !user.guest && !user.erased).map((user) => user.uid));
  }

  /** @throws Refused `user.not-found` for the guest, an erased user and an unknown uid */
  async requireAccount(uid: Uid): Promise<void> {
    if ((await this.invitable([uid])).size === 0) throw new Refused('user.not-found');
  }

  /** Whom a user blocks, and the position of the last change. */
  blockedBy(uid: Uid): Promise<Blocked> {
    return this.blocks.of(uid);
  }

  /** Those of the people who do not block a user. */
  async notBlocking<Someone extends { readonly uid: Uid }>(uid: Uid, people: readonly Someone[]): Promise<readonly Someone[]> {
    const blockers = await this.blocks.blockersOf(uid);
    return people.filter((person) => !blockers.has(person.uid));
  }

  /** Finds users with a profile by name or username, except the caller and those who block them. @throws Refused `request.invalid` for a query that is too short or too long */
  async search(question: string, asker: Uid): Promise<readonly PersonView[]> {
    const key = searchForm(question);
    if (key.length < LIMITS.searchMin || question.length > LIMITS.search) throw new Refused('request.invalid', { field: 'q' });
    const leftOut = new Set([asker, ...(await this.blocks.blockersOf(asker))]);
    const found = await this.reads.find<UserDocument>(USERS, {
      where: { field: 'searchKeys', value: key },
      sort: 'ascending',
      limit: LIMITS.searchResults + leftOut.size,
    });
    const hidden = await this.hiddenConnections(asker, key);
    return [...found, ...hidden]
      .filter(({ uid }) => !leftOut.has(uid))
      .toSorted((one, other) => inOrder(one.username, other.username))
      .slice(0, LIMITS.searchResults)
      .map(personView);
  }

  /** Those who hide from search are found by the people who have them among their connections. */
  private async hiddenConnections(asker: Uid, key: string): Promise<readonly UserDocument[]> {
    const { uids } = await this.connections.of(asker);
    const users = await this.reads.getMany<UserDocument>(USERS, uids);
    return users.filter((user) => user.isHiddenFromSearch && hasProfile(user) && searchKeysOf(user).includes(key));
  }
}
