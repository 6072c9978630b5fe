import type { Instant } from '../shared/ids.js';
import type { PersonView } from '../users/user.view.js';

/** How much of a version one member played. */
export interface ListenerView {
  readonly user: PersonView;
  /** Listening sessions. */
  readonly plays: number;
  readonly seconds: number;
  /** When the last session ended. */
  readonly last: Instant;
}

/** How often a version was played. The totals count everyone; the list has the current members and the owner, most seconds first. */
export interface PlaysView {
  readonly plays: number;
  readonly seconds: number;
  readonly listeners: readonly ListenerView[];
}
