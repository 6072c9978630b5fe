import type { Replayed, ReactorStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';

/** Work that belongs where reactors run, in one process at a time, in a loop of its own. */
export interface OwnLoop {
  readonly name: string;
  /** Goes on in the background from where it got to. @throws StoreAway when that cannot be learned */
  start(): Promise<void>;
  /** Ends within some seconds; it may be started again. */
  stop(): Promise<void>;
}

/** A loop that follows the log with a checkpoint among those of the reactors, and parks what it gives up on as they do. */
export interface FollowingLoop extends OwnLoop {
  status(): Promise<ReactorStatus>;
  /** Does again what is parked (one, when a position is named), in order. */
  replay(position?: Position): Promise<Replayed>;
}

/** Whether a loop follows the log. */
export const isFollowing = (loop: OwnLoop): loop is FollowingLoop => 'replay' in loop;
