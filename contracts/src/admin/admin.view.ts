import type { Instant, Position } from '../shared/ids.js';

/** Why an event cannot be read: its type is in no list, a sealed field does not open, or an old shape does not become the new one. */
export type UnreadableReason = 'unknown-type' | 'sealed' | 'upcast';

/** A stream whose events a projector does not take any more: from which event on, and why. Holds nothing of what the event says. */
export interface ParkedStream {
  readonly stream: string;
  readonly position: Position;
  readonly type: string;
  readonly reason: UnreadableReason | 'projection';
}

/** How far a generation of a projector's documents has come. */
export interface GenerationStatus {
  readonly version: number;
  /** Counts the rebuilds; 0 before the first documents. */
  readonly generation: number;
  readonly checkpoint: Position;
  /** Events between the checkpoint and the log's end. */
  readonly lag: number;
  readonly parkedStreams: readonly ParkedStream[];
}

/** A projector as an operator sees it: what is served, and what is being built beside it. */
export interface ProjectionStatus extends GenerationStatus {
  readonly projector: string;
  readonly rebuild: GenerationStatus | null;
}

/** Which process does a work that one at a time does: projecting, or reacting. */
export interface LeaseState {
  /** The process's host and number, and what tells it from others of the same name. */
  readonly holder: string;
  /** When it took the work, by its own clock. */
  readonly since: Instant;
  /** Grows by one with each taking. */
  readonly fence: number;
}

/** An event that a reactor did not answer to: which, and why. Holds nothing of what the event says. */
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

/** What came of parked reactions that were asked for again; those that failed are still parked. */
export interface Replayed {
  readonly done: readonly Position[];
  readonly failed: readonly Position[];
  /** For a kind of timers: how many parked ones are due again. They fire where reactors run. */
  readonly timers?: number;
}

/** GET /api/admin/{key}/projections */
export interface ProjectionsAnswer {
  /** Null when nobody builds them; missing where one program alone does everything. */
  readonly heldBy?: LeaseState | null;
  readonly projections: readonly ProjectionStatus[];
}

/** POST /api/admin/{key}/projections/{projector}/rebuild: what is being built now. */
export interface RebuildAnswer {
  readonly projector: string;
  readonly generation: number;
}

/** GET /api/admin/{key}/reactors */
export interface ReactorsAnswer {
  /** Null when nobody reacts; missing where one program alone does everything. */
  readonly heldBy?: LeaseState | null;
  readonly reactors: readonly ReactorStatus[];
  readonly timers: readonly TimersStatus[];
}

/** A letter that was given up; its text is gone. */
export interface UndeliveredLetterView {
  /** Its name, which its Message-ID begins with. */
  readonly letter: string;
  readonly to: string;
  readonly writtenAt: Instant;
  readonly endedAt: Instant;
  readonly tries: number;
  readonly reason: string;
}

/** GET /api/admin/{key}/mail: letters that wait to be delivered, and those of the last 30 days that could not be. */
export interface MailStatus {
  readonly waiting: number;
  /** When the oldest of those that wait was written; null when none waits. */
  readonly oldest: Instant | null;
  /** Why the one that was tried most often waits; null when none failed. */
  readonly lastReason: string | null;
  readonly undelivered: readonly UndeliveredLetterView[];
}

/** POST /api/admin/{key}/mail: the letter is on its way, under this name. */
export interface LetterSentAnswer {
  readonly letter: string;
}
