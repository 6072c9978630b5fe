import type { Viewer } from '../projects/project.access.js';

/** Who listened to a version, and for how long, is for the project's owner only. */
export const mayReadPlays = (who: Viewer): boolean => who.may.owner;
