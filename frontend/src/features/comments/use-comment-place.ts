import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { TextLimit } from '../../shared/posts/text-limit';
import type { WritingPlace } from '../../shared/posts/use-writing';
import { useProject } from '../../shared/project/project-context';
import { draftKey } from '../../shared/writing/drafts';
import { useCommentOutbox } from './use-comment-outbox';

export const COMMENT_LIMIT: TextLimit = { length: LIMITS.comment, problem: 'limit.content' };

/** The key of a draft; `parentId` is the comment that it replies to, null for a new comment. */
export const commentDraftKey = (uid: Uid, projectId: Id, parentId: Id | null): string => draftKey(uid, projectId, ...(parentId === null ? [] : [parentId]));

/** Where new comments, or replies to a comment, are written. */
export function useCommentPlace(parentId: Id | null): WritingPlace {
  const { user, projectId } = useProject();
  const outbox = useCommentOutbox();
  return {
    draftKey: commentDraftKey(user.uid, projectId, parentId),
    limit: COMMENT_LIMIT,
    parentId,
    send: (post) => outbox.send({ ...post, kind: 'text' }),
  };
}
