import { Inject, Injectable } from '@nestjs/common';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { isInvalidName } from '@roughmix/contracts/users/person-name.js';
import type { AddUserBody } from '@roughmix/contracts/users/user.api.js';
import { Refused } from '../kernel/refusal.js';
import { passwordProblem, Passwords } from '../platform/auth/passwords.js';
import type { Clock } from '../platform/clock.js';
import { emailFrom } from '../platform/email-address.js';
import { idFrom, newId } from '../platform/ids.js';
import { retryWhileReadModelsLag } from '../platform/projections/retry-while-lagging.js';
import { CLOCK } from '../platform/tokens.js';
import type { VaultRecord } from '../platform/vault/vault.js';
import type { Account } from './account-records.js';
import { Accounts } from './accounts.js';
import { Turns } from './turns.js';
import { UserStreams } from './user.streams.js';
import { chosenUsername, requireOwnName, unchosenUsernames } from './usernames.js';
import { UsersQueries } from './users.queries.js';

/** The shared read-only account. */
export const GUEST_UID: Uid = idFrom('roughmix', 'guest');

interface RegistrationRequest {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Null: derive it from the names, or make one up without them. */
  readonly username: string | null;
}

/** A registered user. */
export interface Registered {
  readonly uid: Uid;
  readonly position: Position | null;
}

/** @throws Refused `email.invalid`, `password.*`, `name.space`, `name.reserved`, `username.invalid`, `user.username-taken` for 'Everyone' */
function parseRegistration(body: AddUserBody): RegistrationRequest {
  const email = emailFrom(body.email);
  if (email === null) throw new Refused('email.invalid', { field: 'email' });
  const problem = passwordProblem(body.password);
  if (problem !== null) throw new Refused(problem, { field: 'password' });
  const { firstName = '', lastName = '' } = body;
  if ([firstName, lastName].some(isInvalidName)) throw new Refused('name.space');
  requireOwnName({ firstName, lastName });
  return { email, password: body.password, firstName, lastName, username: chosenUsername(body.username ?? '') };
}

/**
 * Creates accounts: reserves the email address and the username in the vault, appends the registration, confirms. A registration interrupted by a crash is
 * completed by the next attempt with the same email and password, by the first sign-in, or by the sweep.
 */
@Injectable()
export class Registrations {
  private readonly turns = new Turns();

  constructor(
    private readonly accounts: Accounts,
    private readonly streams: UserStreams,
    private readonly passwords: Passwords,
    private readonly users: UsersQueries,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws Refused as {@link parseRegistration}, and `user.email-taken`, `user.username-taken` */
  async register(body: AddUserBody): Promise<Registered> {
    const request = parseRegistration(body);
    // Two concurrent registrations of one address: the second waits and finds it taken, instead of mistaking the first for a crashed one.
    return this.turns.run(request.email, async () => {
      const held = await this.accounts.holderOf(request.email);
      if (held === null) return this.complete(await this.begin(newId(), request.email, await this.passwords.hash(request.password)), request);
      await this.requireSamePassword(held, request);
      if (await this.streams.isRegistered(held.id)) return { uid: held.id, position: null };
      if (!(await this.accounts.change(held, { reservedAt: this.clock() }))) throw new Refused('user.email-taken', { field: 'email' });
      return this.complete(held.id, request);
    });
  }

  /**
   * Creates an account without a password and names, under a uid that is the same in every attempt; does nothing if it exists.
   * @param email in its normal form
   * @throws Refused `user.email-taken` if another account holds the address
   */
  async registerInvited(uid: Uid, email: string): Promise<void> {
    await this.turns.run(email, async () => {
      const held = await this.accounts.holderOf(email);
      if (held !== null && (held.id !== uid || held.body.state === 'erasing')) throw new Refused('user.email-taken', { field: 'email' });
      if (held === null) await this.begin(uid, email, '');
      if (await this.streams.isRegistered(uid)) await this.accounts.confirm(uid);
      else await this.complete(uid, { email, password: '', firstName: '', lastName: '', username: null });
    });
  }

  /** Creates the guest at the first start; the next start completes it after a crash. */
  async ensureGuest(): Promise<void> {
    const account: Account = { uid: GUEST_UID, email: '', passwordHash: '', usernameSlug: '', state: 'confirmed', reservedAt: this.clock(), zone: null };
    await this.accounts.insert(account);
    await this.accounts.claimUsername('Guest', GUEST_UID);
    await retryWhileReadModelsLag(() => this.streams.register({ uid: GUEST_UID, username: 'Guest', firstName: '', lastName: '', guest: true }));
  }

  private async requireSamePassword(held: VaultRecord<Account>, request: RegistrationRequest): Promise<void> {
    const isUnconfirmed = held.body.state === 'reserved';
    if (isUnconfirmed && (await this.passwords.matches(held.body.passwordHash, request.password))) return;
    throw new Refused('user.email-taken', { field: 'email' });
  }

  private async begin(uid: Uid, email: string, passwordHash: string): Promise<Uid> {
    await this.accounts.insert({ uid, email, passwordHash, usernameSlug: '', state: 'reserved', reservedAt: this.clock(), zone: null });
    if (await this.accounts.reserveEmail(email, uid)) return uid;
    await this.release(uid);
    throw new Refused('user.email-taken', { field: 'email' });
  }

  private async complete(uid: Uid, request: RegistrationRequest): Promise<Registered> {
    const username = await this.reserveUsername(uid, request);
    const { firstName, lastName } = request;
    const { position } = await this.streams.register({ uid, username, firstName, lastName, guest: false });
    await this.keepRegisteredName(uid);
    await this.accounts.confirm(uid);
    return { uid, position };
  }

  private async reserveUsername(uid: Uid, request: RegistrationRequest): Promise<string> {
    for (const username of request.username === null ? unchosenUsernames(request) : [request.username]) {
      if (!(await this.users.isLookalike(username, uid)) && (await this.accounts.claimUsername(username, uid))) return username;
      // Erased in the meantime: no other name would help.
      if (await this.accounts.isLocked(uid)) throw new Refused('store.busy');
    }
    await this.release(uid);
    throw new Refused('user.username-taken', { field: 'username' });
  }

  /** Two servers may complete the same registration: the username in the log is the one that stays reserved. */
  private async keepRegisteredName(uid: Uid): Promise<void> {
    const [person, account] = [await this.streams.person(uid), await this.accounts.get(uid)];
    if (person === null || account === null || person.slugs.includes(account.body.usernameSlug)) return;
    await this.accounts.claimUsername(person.username, uid);
  }

  private async release(uid: Uid): Promise<void> {
    const account = await this.accounts.get(uid);
    if (account?.body.state === 'reserved' && !(await this.streams.isRegistered(uid))) await this.accounts.release(account);
  }
}
