import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { Accounts } from './accounts.js';
import { Credentials } from './credentials.js';
import type { Person } from './user.decider.js';
import { UserStreams } from './user.streams.js';
import { unchosenUsernames, Usernames } from './usernames.js';

/** A new password that may be set. */
export interface AcceptedPassword {
  /** Ends all sessions but one. */
  readonly set: (sessionId: string) => Promise<void>;
}

/** The steps of the welcome form, which completes a profile and replaces the temporary password. */
@Injectable()
export class WelcomeForm {
  constructor(
    private readonly accounts: Accounts,
    private readonly streams: UserStreams,
    private readonly usernames: Usernames,
    private readonly credentials: Credentials,
  ) {}

  /** @throws Refused `profile.completed` */
  async requireIncomplete(uid: Uid): Promise<void> {
    if ((await this.person(uid)).profileCompletion !== 0) throw new Refused('profile.completed');
  }

  /** Checks the password, then that there is a photo. @throws Refused `password.*`, `photo.required` */
  async check(uid: Uid, newPassword: string): Promise<AcceptedPassword> {
    this.credentials.requireAcceptable(newPassword);
    const account = await this.accounts.get(uid);
    if (account === null) throw new Refused('user.not-found');
    const isCurrent = await this.credentials.isCurrent(account.body, newPassword);
    // After a crash the form is sent again: it had set this password already.
    const isSet = isCurrent && account.body.isWelcoming === true;
    if (isCurrent && !isSet) throw new Refused('password.unchanged', { field: 'newPassword' });
    if ((await this.person(uid)).photo === null) throw new Refused('photo.required');
    return { set: (sessionId) => (isSet ? this.credentials.completeSetting(uid, { keep: sessionId }) : this.setPassword(uid, newPassword, sessionId)) };
  }

  /** Reserves the first free one of the usernames that follow from the names, or a made-up one. */
  async claimDerivedName(uid: Uid, names: { readonly firstName: string; readonly lastName: string }): Promise<string> {
    for (const username of unchosenUsernames(names)) {
      if (await this.usernames.claim(username, uid)) return username;
      if (await this.isGone(uid)) throw new Refused('user.not-found');
    }
    throw new Refused('user.username-taken', { field: 'username' });
  }

  private async setPassword(uid: Uid, newPassword: string, sessionId: string): Promise<void> {
    for (let account = await this.accounts.get(uid); account !== null && account.body.isWelcoming !== true; account = await this.accounts.get(uid)) {
      if (await this.accounts.change(account, { isWelcoming: true })) break;
    }
    await this.credentials.setPassword(uid, newPassword, { keep: sessionId });
  }

  private async isGone(uid: Uid): Promise<boolean> {
    const account = await this.accounts.get(uid);
    return account === null || account.body.state === 'erasing';
  }

  private async person(uid: Uid): Promise<Person> {
    const person = await this.streams.person(uid);
    if (person === null) throw new Refused('user.not-found');
    return person;
  }
}
