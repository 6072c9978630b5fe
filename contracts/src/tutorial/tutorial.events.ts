import type { EventClasses } from '../shared/field-classes.js';
import type { Id } from '../shared/ids.js';

export interface TutorialEvents {
  /** The project is its owner's tutorial, and these versions and todos came with it. The last event of the append that creates the project. */
  TutorialCreated: { readonly versionIds: readonly Id[]; readonly todoIds: readonly Id[] };
}

export const TUTORIAL_EVENT_CLASSES: EventClasses<TutorialEvents> = {
  TutorialCreated: { versionIds: 'plain', todoIds: 'plain' },
};
