import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { draftKey } from '../../shared/writing/drafts';

/** A comment or reply that is being written. */
export interface CommentDraft {
  readonly text: string;
  readonly stamp: Stamp | null;
}

export const EMPTY_DRAFT: CommentDraft = { text: '', stamp: null };

/** The key of a draft; `parentId` is the comment that it replies to, null for a new comment. */
export const commentDraftKey = (uid: Uid, projectId: Id, parentId: Id | null): string => draftKey(uid, projectId, ...(parentId === null ? [] : [parentId]));
