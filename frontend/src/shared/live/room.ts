import type { Push } from '@roughmix/contracts/live.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { LiveHandlers } from './handlers';
import { createOnce } from './once';

/** A project that this tab is in, with the position up to which all its messages were handled. */
export interface Room {
  readonly projectId: Id;
  handledUpTo: Position | undefined;
  /** The server has let this connection in, after telling what was missed. */
  isEntered: boolean;
  /** Who is here was told since it was last asked for: lists come in order, and the answer may hold one that was made before. */
  isHereTold: boolean;
  readonly isNew: (push: Push) => boolean;
  /** One for each component that takes part. */
  readonly listeners: Set<LiveHandlers>;
}

export const createRoom = (projectId: Id, handledUpTo: Position | undefined): Room => ({
  projectId,
  handledUpTo,
  isEntered: false,
  isHereTold: false,
  isNew: createOnce(),
  listeners: new Set(),
});

const upTo = (room: Room, position: Position): void => void (room.handledUpTo = Math.max(room.handledUpTo ?? 0, position));

/**
 * A message says that all positions before its own are complete; more of its own may be on their way when the connection breaks. Before the room is
 * entered it says nothing: a message to this person alone may come ahead of what was missed.
 */
export function moveOn(room: Room, position: Position): void {
  if (room.isEntered) upTo(room, position - 1);
}

/** The server named the position up to which everything was told. */
export function entered(room: Room, position: Position): void {
  room.isEntered = true;
  upTo(room, position);
}
