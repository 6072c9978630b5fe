import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { AccountsAnswer, AccountView, StaffRole, UserInfoAnswer } from '@roughmix/contracts/users/user.view.js';
import { Refused } from '../kernel/refusal.js';
import { pageOf, type PageRequest } from '../platform/http/paging.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { StaffQueries } from '../staff/staff.queries.js';
import { AccountDirectory } from './account-directory.js';
import { SelfQueries } from './self.queries.js';

/** Accounts as staff and the operator see them. */
@Injectable()
export class AccountViews {
  constructor(
    private readonly staff: StaffQueries,
    private readonly directory: AccountDirectory,
    private readonly selves: SelfQueries,
    private readonly projects: ProjectAccessQueries,
  ) {}

  /** Accounts that match, the newest first. @throws Refused `request.invalid` for a search that is not a text, or too long */
  async list(search: unknown, page: PageRequest): Promise<AccountsAnswer> {
    if (search !== undefined && (typeof search !== 'string' || search.length > LIMITS.email)) throw new Refused('request.invalid', { field: 'q' });
    const text = (search ?? '').trim();
    const all = await this.staff.accounts();
    const uids = all.map(({ uid }) => uid);
    const found = text === '' ? new Set(uids) : await this.directory.matching(uids, text);
    const accounts = all.filter(({ uid }) => found.has(uid));
    const older = accounts.filter(({ registeredAt }) => page.before === null || registeredAt < page.before);
    const { items, next } = pageOf(older, page, ({ registeredAt }) => registeredAt);
    const views = await Promise.all(items.map(({ uid, staffRole }) => this.viewOf(uid, staffRole)));
    return { accounts: views.filter((view) => view !== null), next, total: accounts.length };
  }

  /** @throws Refused `user.not-found` for the guest, an erased user and an unknown uid */
  async one(uid: Uid): Promise<AccountView> {
    const view = await this.viewOf(uid, await this.staff.roleOf(uid));
    if (view === null) throw new Refused('user.not-found');
    return view;
  }

  /** Who an account belongs to. @param uidOrEmail either of the two @throws Refused `user.not-found` as {@link one} */
  async info(uidOrEmail: string): Promise<UserInfoAnswer> {
    const uid = await this.directory.personOf(uidOrEmail);
    if (uid === null) throw new Refused('user.not-found');
    return this.infoOf(uid);
  }

  /** Null without an account: it may be erased while the list is read. */
  private async viewOf(uid: Uid, staffRole: StaffRole | null): Promise<AccountView | null> {
    if ((await this.directory.personOf(uid)) === null) return null;
    const [{ user }, projects, lastSeen] = await Promise.all([this.infoOf(uid), this.projects.countOwnedBy(uid), this.directory.lastSeen(uid)]);
    return { ...user, staffRole, projects, lastSeen };
  }

  private async infoOf(uid: Uid): Promise<UserInfoAnswer> {
    const { _id, username, firstName, lastName, smallPhoto, largePhoto, photoURL, email, dateAdded, profileCompletion } = await this.selves.view(uid);
    return { user: { _id, uid, username, firstName, lastName, smallPhoto, largePhoto, photoURL, email, dateAdded, profileCompletion } };
  }
}
