import type { Instant, Position } from '../shared/ids.js';

/** Why an event cannot be read: its type is unknown, a sealed field does not open, or upcasting its old shape fails. */
export type UnreadableReason = 'unknown-type' | 'sealed' | 'upcast';

/** A stream that a projector has parked: from which event on, and why. Contains none of the event's data. */
export interface ParkedStream {
  readonly stream: string;
  readonly position: Position;
  readonly type: string;
  readonly reason: UnreadableReason | 'projection';
}

/** The progress of one generation of a projector's documents. */
export interface GenerationStatus {
  readonly version: number;
  /** Counts the rebuilds; 0 before the first documents. */
  readonly generation: number;
  readonly checkpoint: Position;
  /** Events between the checkpoint and the log's end. */
  readonly lag: number;
  readonly parkedStreams: readonly ParkedStream[];
}

/** A projector as an operator sees it: the generation that is served, and the one being built beside it. */
export interface ProjectionStatus extends GenerationStatus {
  readonly projector: string;
  readonly rebuild: GenerationStatus | null;
}

/** Which process holds a lease: to project, or to react. */
export interface LeaseState {
  /** Host and process number, and a suffix that tells processes with the same number apart. */
  readonly holder: string;
  /** When it took the lease, by its own clock. */
  readonly since: Instant;
  /** The fencing token: grows by one each time the lease is taken. */
  readonly fence: number;
}

/** An event that a reactor failed on, and why. Contains none of the event's data. */
export interface ParkedReaction {
  readonly position: Position;
  readonly stream: string;
  readonly type: string;
  readonly reason: UnreadableReason | 'reaction';
}

/** A reactor as an operator sees it. */
export interface ReactorStatus {
  readonly reactor: string;
  readonly checkpoint: Position;
  /** Positions between the checkpoint and the log's end. */
  readonly lag: number;
  readonly parked: readonly ParkedReaction[];
}

/** A timer whose handler failed too often. */
export interface ParkedTimer {
  readonly key: string;
  readonly at: Instant;
  readonly tries: number;
}

/** The timers of one kind as an operator sees them. */
export interface TimersStatus {
  readonly kind: string;
  /** Timers that have not fired, the due ones included, the parked ones not. */
  readonly pending: number;
  /** Of these, how many are due now. */
  readonly due: number;
  /** The instant of the earliest pending timer; null without one. */
  readonly next: Instant | null;
  readonly parked: readonly ParkedTimer[];
}

/** The outcome of retrying parked reactions; those that failed stay parked. */
export interface Replayed {
  readonly done: readonly Position[];
  readonly failed: readonly Position[];
  /** For a kind of timers: how many parked ones are due again. They fire where reactors run. */
  readonly timers?: number;
}

/** POST /api/admin/{key}/reactors/{reactor}/rewind: where the checkpoint was, and where it is now. Equal when it was not beyond the position. */
export interface Rewound {
  readonly from: Position;
  readonly to: Position;
}

/** Read models of another program version in the same store. */
export interface OtherReadModels {
  /** Names the versions of all projectors together; empty if they were built by 0.1.0 or by a single process. */
  readonly edition: string;
  /** Null when no process builds them: they are dropped after a minute. */
  readonly heldBy: LeaseState | null;
}

/** GET /api/admin/{key}/projections */
export interface ProjectionsAnswer {
  /** Null when no process builds them; absent when a single process does everything. */
  readonly heldBy?: LeaseState | null;
  /** Absent when a single process does everything. */
  readonly others?: readonly OtherReadModels[];
  readonly projections: readonly ProjectionStatus[];
}

/** POST /api/admin/{key}/projections/{projector}/rebuild: what is being built now. */
export interface RebuildAnswer {
  readonly projector: string;
  readonly generation: number;
}

/** GET /api/admin/{key}/reactors */
export interface ReactorsAnswer {
  /** Null when no process reacts; absent when a single process does everything. */
  readonly heldBy?: LeaseState | null;
  readonly reactors: readonly ReactorStatus[];
  readonly timers: readonly TimersStatus[];
}

/** An e-mail that could not be delivered; its text is deleted. */
export interface UndeliveredEmailView {
  /** Its id, which its Message-ID begins with. */
  readonly letter: string;
  /** `[unreadable]` when it cannot be decrypted. */
  readonly to: string;
  readonly writtenAt: Instant;
  readonly endedAt: Instant;
  readonly tries: number;
  readonly reason: string;
}

/** GET /api/admin/{key}/mail: e-mails waiting for delivery, and those that failed in the last 30 days. */
export interface MailStatus {
  readonly waiting: number;
  /** When the oldest waiting e-mail was written; null when none waits. */
  readonly oldest: Instant | null;
  /** The last error of the waiting e-mail with the most attempts; null when none failed. */
  readonly lastReason: string | null;
  readonly undelivered: readonly UndeliveredEmailView[];
}

/** POST /api/admin/{key}/mail: the e-mail is queued under this id. */
export interface EmailQueuedAnswer {
  readonly letter: string;
}
