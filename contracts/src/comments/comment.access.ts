import type { Uid } from '../shared/ids.js';
import type { Viewer } from '../projects/project.access.js';

export const mayWriteComment = (who: Viewer): boolean => who.may.comment;
/** Only its author edits or removes a comment, while they may still comment. */
export const mayEditComment = (who: Viewer, comment: { readonly authorUid: Uid }): boolean => who.may.comment && comment.authorUid === who.uid;
/** Others rate a comment, never its author. */
export const mayRateComment = (who: Viewer, comment: { readonly authorUid: Uid }): boolean => who.may.comment && comment.authorUid !== who.uid;
/** How many dislike it is the author's to know. */
export const seesDislikes = (who: { readonly uid: Uid }, comment: { readonly authorUid: Uid }): boolean => comment.authorUid === who.uid;
