import type { ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import { personCalled } from './people-and-projects';

/** A comment by Bob on the project `p1`, an hour old. */
export const aComment = (_id: string, changes: Partial<ActiveComment> = {}): ActiveComment => ({
  _id,
  projectId: 'p1',
  type: 'text',
  content: `words of ${_id}`,
  user: personCalled('Bob'),
  dateAdded: Date.now() - 3_600_000,
  edited: null,
  versionId: 'v1',
  stamp: null,
  taggedRegions: [],
  taggedUsers: [],
  isReply: false,
  parentCommentId: null,
  replyIds: [],
  groupId: null,
  projectOwner: 'ana',
  likes: [],
  negs: [],
  position: 10,
  ...changes,
});

/** A reply to a comment of {@link aComment}. */
export const aReply = (_id: string, parentCommentId: string, changes: Partial<ActiveComment> = {}): ActiveComment =>
  aComment(_id, { isReply: true, parentCommentId, ...changes });
