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
  /** Presence arrived since it was last asked for: lists come in order, and the ack may hold an older one. */
  isPresenceFresh: boolean;
  readonly isNew: (push: Push) => boolean;
  /** One for each component that takes part. */
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

const raise = (room: Room, position: Position): void => void (room.handledUpTo = Math.max(room.handledUpTo ?? 0, position));

/**
 * Notes a push of this room: all positions before its own are complete, while more pushes of its own position may follow. Before the room is entered a push
 * proves nothing, because catch-up may still be on its way.
 */
export function advance(room: Room, position: Position): void {
  if (room.isEntered) raise(room, position - 1);
}

/** Notes that the server admitted this connection and sent everything up to `position`; undefined from a server that does not say. */
export function markEntered(room: Room, position: Position | undefined): void {
  if (position === undefined) return;
  room.isEntered = true;
  raise(room, position);
}
