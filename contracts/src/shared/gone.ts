import type { Id, Position } from './ids.js';

/** A thing that a command made or changed and that somebody removed since: what the command's answer, sent again, shows of it. */
export interface GoneView {
  readonly _id: Id;
  readonly projectId: Id;
  readonly removed: true;
  /** Of the command. */
  readonly position: Position;
}
