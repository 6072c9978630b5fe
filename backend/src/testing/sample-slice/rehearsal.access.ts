import type { Uid } from '@roughmix/contracts/shared/ids.js';

/** The facts about a rehearsal that rights depend on. */
export interface RehearsalForAccess {
  readonly hostUid: Uid;
  readonly invitedUids: readonly Uid[];
}

/** Moves and cancels it. */
export const isHost = ({ hostUid }: RehearsalForAccess, uid: Uid): boolean => hostUid === uid;

/** For everyone else it does not exist. */
export const maySeeRehearsal = (rehearsal: RehearsalForAccess, uid: Uid): boolean => isHost(rehearsal, uid) || rehearsal.invitedUids.includes(uid);
