import type { Viewer } from '../projects/project.access.js';

/** A collection contains only projects of its owner. */
export const mayCollect = (who: Viewer): boolean => who.may.owner;
