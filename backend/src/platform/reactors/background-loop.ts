import type { Replayed, ReactorStatus, Rewound } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';

/** A loop that runs beside the reactors, in one process at a time. */
export interface BackgroundLoop {
  readonly name: string;
  /** Continues in the background from its stored state. @throws ServiceUnavailable when that cannot be read */
  start(): Promise<void>;
  /** Resolves within some seconds; it may be started again. */
  stop(): Promise<void>;
}

/** A loop that follows the log from a checkpoint like a reactor's, and parks events like one. */
export interface LogFollowingLoop extends BackgroundLoop {
  status(): Promise<ReactorStatus>;
  /** Handles the parked events again (or only the one at `position`), in order. */
  replay(position?: Position): Promise<Replayed>;
  /** Sets its checkpoint back, never forward, and handles the events after it again; null when it is not running. */
  rewind(to: Position): Promise<Rewound | null>;
}

/** Whether a loop follows the log. */
export const followsLog = (loop: BackgroundLoop): loop is LogFollowingLoop => 'replay' in loop;
