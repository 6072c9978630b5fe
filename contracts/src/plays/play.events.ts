import type { EventClasses } from '../shared/field-classes.js';
import type { Id, Instant } from '../shared/ids.js';

export interface PlayEvents {
  /** One listening session of a user, which ended at `endedAt`: how many seconds of the version they heard. */
  VersionPlayed: { readonly versionId: Id; readonly seconds: number; readonly endedAt: Instant };
}

export const PLAY_EVENT_CLASSES: EventClasses<PlayEvents> = {
  VersionPlayed: { versionId: 'plain', seconds: 'plain', endedAt: 'plain' },
};
