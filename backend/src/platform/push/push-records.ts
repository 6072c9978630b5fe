import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';

/** The vault's collection of push messages. */
export const PUSHES = 'pushes';

/** A notification to push to its receiver's browsers. */
export interface NewPush {
  readonly uid: Uid;
  readonly notificationId: Id;
  /** Of the event that it follows from. */
  readonly position: Position;
}

interface PushRecord extends NewPush, Readonly<Record<string, unknown>> {
  readonly subscriptionId: Id;
  readonly queuedAt: Instant;
  readonly tries: number;
}

/** One message to one browser. Its text is made when it is sent. */
export interface WaitingPush extends PushRecord {
  readonly state: 'waiting';
  /** The same as `uid`, only while it waits. */
  readonly waitsFor: Uid;
  /** When to try it next. */
  readonly dueAt: Instant;
}

/** What remains of a message, so that it is not sent again. */
export interface EndedPush extends PushRecord {
  readonly state: PushEnd;
}

/** `accepted` by the push service, or given up: refused, too old, read in the meantime, or its browser has unsubscribed. */
export type PushEnd = 'accepted' | 'given up';
