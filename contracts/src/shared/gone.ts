import type { Id, Position } from './ids.js';

/** An item that has been removed since the command that made or changed it: what a repeat of that command returns in its place. */
export interface GoneView {
  readonly _id: Id;
  readonly projectId: Id;
  readonly removed: true;
  /** Of the command. */
  readonly position: Position;
}
