import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';

export type RehearsalPhase = 'planned' | 'started' | 'cancelled';

/** A rehearsal, the same for everyone who may see it. */
export interface RehearsalView {
  readonly _id: Id;
  readonly hostUid: Uid;
  readonly place: string;
  readonly startsAt: Instant;
  readonly phase: RehearsalPhase;
  readonly memberUids: readonly Uid[];
  readonly position: Position;
}

/** What one member is notified of. */
export interface RehearsalNoticeView {
  readonly rehearsalId: Id;
  readonly type: 'RehearsalMoved' | 'RehearsalCancelled' | 'RehearsalStarted';
  readonly startsAt: Instant;
  readonly position: Position;
}

export interface RehearsalAnswer {
  readonly rehearsal: RehearsalView;
}
export interface RehearsalNoticesAnswer {
  readonly notices: readonly RehearsalNoticeView[];
}
