import type { Uid } from '../shared/ids.js';
import type { Viewer } from '../projects/project.access.js';

export const mayDrawRegion = (who: Viewer): boolean => who.may.comment;
/** Only the creator may edit or remove a region, and only while they may still draw. */
export const mayEditRegion = (who: Viewer, region: { readonly authorUid: Uid }): boolean => who.may.comment && region.authorUid === who.uid;
