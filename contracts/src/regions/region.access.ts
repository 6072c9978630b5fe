import type { Uid } from '../shared/ids.js';
import type { Viewer } from '../projects/project.access.js';

export const mayDrawRegion = (who: Viewer): boolean => who.may.comment;
/** Only its creator edits or removes a region, while they may still draw. */
export const mayEditRegion = (who: Viewer, region: { readonly authorUid: Uid }): boolean => who.may.comment && region.authorUid === who.uid;
