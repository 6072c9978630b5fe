import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import type { CommandOf, Decider, Folds, Rules, Stored } from '../../kernel/decider.js';
import { type Refusal, refuse } from '../../kernel/refusal.js';
import { isHost, maySeeRehearsal, type RehearsalForAccess } from './rehearsal.access.js';
import type { RehearsalEvent, RehearsalEvents } from './rehearsal.events.js';
import type { RehearsalPhase } from './rehearsal.view.js';

export interface RehearsalState extends RehearsalForAccess {
  readonly memberUids: readonly Uid[];
  readonly startsAt: Instant;
  /** Null until it is scheduled. */
  readonly phase: RehearsalPhase | null;
}

interface PersonalCommands {
  JoinRehearsal: object;
  LeaveRehearsal: object;
  MoveRehearsal: { readonly startsAt: Instant };
  CancelRehearsal: object;
}
type RehearsalCommands = PersonalCommands & {
  /** The actor becomes the host. */
  ScheduleRehearsal: Omit<RehearsalEvents['RehearsalScheduled'], 'hostUid'>;
  /** Of the system, at the instant that it names. */
  StartRehearsal: { readonly startsAt: Instant };
};
export type RehearsalCommand = CommandOf<RehearsalCommands>;

// A slice of the program has codes of its own in contracts/shared/problems.ts.
const NOT_FOUND = refuse('route.not-found');
const NOT_ALLOWED = refuse('actor.mismatch');
const OVER = refuse('request.invalid');

const rules: Rules<PersonalCommands, RehearsalState, Uid, RehearsalEvent> = {
  JoinRehearsal: (_data, { memberUids, phase }, uid) => {
    if (memberUids.includes(uid)) return [];
    return phase === 'planned' ? [{ type: 'RehearsalJoined', data: { uid } }] : OVER;
  },
  LeaveRehearsal: (_data, rehearsal, uid) => {
    if (isHost(rehearsal, uid)) return NOT_ALLOWED;
    return rehearsal.memberUids.includes(uid) ? [{ type: 'RehearsalLeft', data: { uid } }] : [];
  },
  MoveRehearsal: ({ startsAt }, rehearsal, uid) => {
    if (!isHost(rehearsal, uid)) return NOT_ALLOWED;
    if (rehearsal.phase !== 'planned') return OVER;
    return startsAt === rehearsal.startsAt ? [] : [{ type: 'RehearsalMoved', data: { from: rehearsal.startsAt, to: startsAt } }];
  },
  CancelRehearsal: (_data, rehearsal, uid) => {
    if (!isHost(rehearsal, uid)) return NOT_ALLOWED;
    if (rehearsal.phase === 'cancelled') return [];
    return rehearsal.phase === 'planned' ? [{ type: 'RehearsalCancelled', data: { startsAt: rehearsal.startsAt } }] : OVER;
  },
};

function decide(command: RehearsalCommand, rehearsal: RehearsalState, uid: Uid | null): readonly RehearsalEvent[] | Refusal {
  if (command.type === 'StartRehearsal') {
    if (uid !== null) return NOT_ALLOWED;
    const isDue = rehearsal.phase === 'planned' && rehearsal.startsAt === command.data.startsAt;
    return isDue ? [{ type: 'RehearsalStarted', data: command.data }] : [];
  }
  if (uid === null) return NOT_ALLOWED;
  if (command.type === 'ScheduleRehearsal') {
    return rehearsal.phase === null ? [{ type: 'RehearsalScheduled', data: { ...command.data, hostUid: uid } }] : NOT_FOUND;
  }
  if (!maySeeRehearsal(rehearsal, uid)) return NOT_FOUND;
  return command.type === 'MoveRehearsal' ? rules.MoveRehearsal(command.data, rehearsal, uid) : rules[command.type](command.data, rehearsal, uid);
}

const folds: Folds<RehearsalEvents, RehearsalState> = {
  RehearsalScheduled: (_none, { data: { hostUid, invitedUids, startsAt } }) => ({ hostUid, invitedUids, memberUids: [hostUid], startsAt, phase: 'planned' }),
  RehearsalJoined: (rehearsal, { data }) => ({ ...rehearsal, memberUids: [...rehearsal.memberUids, data.uid] }),
  RehearsalLeft: (rehearsal, { data }) => ({ ...rehearsal, memberUids: rehearsal.memberUids.filter((uid) => uid !== data.uid) }),
  RehearsalMoved: (rehearsal, { data }) => ({ ...rehearsal, startsAt: data.to }),
  RehearsalCancelled: (rehearsal) => ({ ...rehearsal, phase: 'cancelled' }),
  RehearsalStarted: (rehearsal) => ({ ...rehearsal, phase: 'started' }),
};

/** The stream of a rehearsal, `rehearsal-<id>`. */
export const rehearsalDecider: Decider<RehearsalState, RehearsalCommand, RehearsalEvent> = {
  name: 'rehearsal',
  initial: () => ({ hostUid: '', invitedUids: [], memberUids: [], startsAt: 0, phase: null }),
  evolve: (rehearsal, event: Stored<RehearsalEvent>) =>
    (folds[event.type] as (rehearsal: RehearsalState, event: Stored<RehearsalEvent>) => RehearsalState)(rehearsal, event),
  decide: (command, rehearsal, { uid }) => decide(command, rehearsal, uid),
  sees: (rehearsal, { uid }) => (uid === null || rehearsal.phase === null || maySeeRehearsal(rehearsal, uid) ? null : NOT_FOUND),
};
