import type { AccountBody } from '@roughmix/contracts/users/user.api.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { UserInfoAnswer, UserRemovedAnswer } from '@roughmix/contracts/users/user.view.js';
import { isProblem } from '../../../shared/api/api-errors';
import { api } from '../../../shared/api/client';

/** Whom to remove, before it is confirmed. */
export interface Removal {
  readonly key: string;
  /** A uid or an e-mail address. */
  readonly who: string;
  /** Null if the address has no account; it may have asked for an invite or written to us. */
  readonly user: UserInfoAnswer['user'] | null;
}

/** Looks an account up. @throws ApiProblem `user.not-found` for a uid without an account */
export async function findRemoval(key: string, who: string): Promise<Removal> {
  const body: AccountBody = { uid: who };
  try {
    const { answer } = await api.send<UserInfoAnswer>('POST', USER_PATHS.getUserInfo(key), body, { retries: 0 });
    return { key, who, user: answer.user };
  } catch (error) {
    if (isProblem(error, 'user.not-found') && who.includes('@')) return { key, who, user: null };
    throw error;
  }
}

/** Removes the account, and what its address sent. */
export async function removeUser({ key, who, user }: Removal): Promise<UserRemovedAnswer> {
  const body: AccountBody = { uid: user?.uid ?? who };
  return (await api.send<UserRemovedAnswer>('POST', USER_PATHS.removeUser(key), body, { retries: 0 })).answer;
}
