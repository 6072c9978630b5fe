import type { Uid } from '../shared/ids.js';
import type { Viewer } from '../projects/project.access.js';

export const mayWriteComment = (who: Viewer): boolean => who.may.comment;
/** Only the author may edit or remove a comment, and only while they may still comment. */
export const mayEditComment = (who: Viewer, comment: { readonly authorUid: Uid }): boolean => who.may.comment && comment.authorUid === who.uid;
/** Authors cannot rate their own comments. */
export const mayRateComment = (who: Viewer, comment: { readonly authorUid: Uid }): boolean => who.may.comment && comment.authorUid !== who.uid;
/** Only the author sees how many people dislike a comment. */
export const seesDislikes = (who: { readonly uid: Uid }, comment: { readonly authorUid: Uid }): boolean => comment.authorUid === who.uid;
