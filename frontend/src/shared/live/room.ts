import type { Push } from '@roughmix/contracts/live.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { LiveSubscriber } from './handlers';
import { createPushFilter } from './push-filter';
import type { Topic } from './topics';

/** A topic that this tab follows, with the position up to which all its pushes were handled. */
export interface Room {
  readonly topic: Topic;
  handledUpTo: Position | undefined;
  /** The server has admitted this connection, after sending what was missed. */
  isEntered: boolean;
  /** A presence list has arrived since the room was last entered. Such lists arrive in order, but the ack may contain an older one. */
  isPresenceFresh: boolean;
  readonly isNew: (push: Push) => boolean;
  /** One per component that follows the topic. */
  readonly subscribers: Set<LiveSubscriber>;
}

export const createRoom = (topic: Topic, handledUpTo?: Position): Room => ({
  topic,
  handledUpTo,
  isEntered: false,
  isPresenceFresh: false,
  isNew: createPushFilter(),
  subscribers: new Set(),
});

/**
 * Records that all pushes up to this position have been handled. Does nothing before the room is entered, because catch-up may still be sending earlier ones,
 * or if the server has no catch-up.
 */
export function completeUpTo(room: Room, position: Position | undefined): void {
  if (room.isEntered && position !== undefined) room.handledUpTo = Math.max(room.handledUpTo ?? 0, position);
}

/** Records a push: earlier positions are complete, but more pushes with the same position may follow. */
export const completeBefore = (room: Room, position: Position): void => completeUpTo(room, position - 1);

/** Records that the server admitted this connection and sent everything up to `position`; undefined where it has no catch-up. */
export function markEntered(room: Room, position: Position | undefined): void {
  room.isEntered = position !== undefined;
  completeUpTo(room, position);
}
