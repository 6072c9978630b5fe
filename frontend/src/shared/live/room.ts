import type { Push } from '@roughmix/contracts/live.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { LiveHandlers } from './handlers';

/** A project that this tab is in, with the place up to which its messages were handled. */
export interface Room {
  readonly projectId: Id;
  handledUpTo: Position | undefined;
  /** One for each component that takes part. */
  readonly listeners: Set<LiveHandlers>;
}

export const createRoom = (projectId: Id, handledUpTo: Position | undefined): Room => ({ projectId, handledUpTo, listeners: new Set() });

/** A position's messages are sent together, so the newest one seen is where to go on from. */
export function moveOn(room: Room, position: Push['position']): void {
  room.handledUpTo = Math.max(room.handledUpTo ?? 0, position);
}
