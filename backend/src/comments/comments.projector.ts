import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import type { RegionEvents } from '@roughmix/contracts/regions/region.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../kernel/event.js';
import { type DocumentChange, projector, type Projector, put, remove, removeWhere, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { type CommentDocument, COMMENTS } from './comments.documents.js';

type Added = StoredEvent<string, CommentEvents['CommentAdded'] | CommentEvents['CommentReplyAdded']>;

function insertComment(event: Added, facts: Pick<CommentDocument, 'kind' | 'parentCommentId'>): DocumentChange {
  const { commentId, content, versionId, taggedUsers, marks } = event.data;
  return put<CommentDocument>(COMMENTS, commentId, {
    commentId,
    projectId: idInStream(event),
    ...facts,
    content,
    image: null,
    authorUid: event.meta.actorUid ?? '',
    dateAdded: event.meta.at,
    edited: null,
    versionId,
    ...marks,
    taggedUsers,
    replyIds: [],
    likes: [],
    negs: [],
    dislikes: {},
    removed: false,
    position: event.position,
  });
}

const CLEARED_CONTENT = {
  content: '',
  image: null,
  stamp: null,
  taggedRegions: [],
  taggedUsers: [],
  likes: [],
  negs: [],
  dislikes: {},
  removed: true,
} as const;

const rated = (uids: readonly Uid[], uid: Uid, on: boolean): readonly Uid[] => [...uids.filter((other) => other !== uid), ...(on ? [uid] : [])];

function removed(event: StoredEvent<string, CommentEvents['CommentRemoved']>): readonly DocumentChange[] {
  const { commentId, parentCommentId, gone } = event.data;
  const stays = !gone.includes(commentId);
  const changes: DocumentChange[] = gone.map((id: Id) => remove(COMMENTS, id));
  if (stays) changes.push(update<CommentDocument>(COMMENTS, commentId, (comment) => ({ ...comment, ...CLEARED_CONTENT, position: event.position })));
  if (parentCommentId !== null && !gone.includes(parentCommentId)) {
    const dropReply = (parent: CommentDocument): CommentDocument => ({
      ...parent,
      replyIds: parent.replyIds.filter((id) => id !== commentId),
      position: event.position,
    });
    changes.push(update(COMMENTS, parentCommentId, dropReply));
  }
  return changes;
}

export const commentsProjector: Projector = projector<CommentEvents & Pick<RegionEvents, 'RegionRemoved.v2'> & Pick<ProjectEvents, 'ProjectPurged'>>(
  { name: 'comments', version: 2, collections: [{ name: COMMENTS, indexes: [{ field: 'projectId' }] }] },
  {
    CommentAdded: (event) => [insertComment(event, { kind: event.data.kind, parentCommentId: null })],
    CommentReplyAdded: (event) => {
      const { commentId, parentCommentId } = event.data;
      const addReply = (parent: CommentDocument): CommentDocument => ({ ...parent, replyIds: [...parent.replyIds, commentId], position: event.position });
      return [insertComment(event, { kind: 'text', parentCommentId }), update(COMMENTS, parentCommentId, addReply)];
    },
    CommentEdited: ({ data, meta, position }) => {
      const { content, taggedUsers, to } = data;
      return [update<CommentDocument>(COMMENTS, data.commentId, (comment) => ({ ...comment, content, taggedUsers, ...to, edited: meta.at, position }))];
    },
    'CommentImageAdded.v2': ({ data, meta, position }) => {
      const { key, contentType, width, height } = data;
      const image = { key, contentType, width, height, dateAdded: meta.at };
      return [update<CommentDocument>(COMMENTS, data.commentId, (comment) => ({ ...comment, image, position }))];
    },
    CommentRemoved: removed,
    ProjectPurged: removeWhere(COMMENTS, 'projectId', idInStream),
    'RegionRemoved.v2': ({ data, position }) => {
      const untag = (comment: CommentDocument): CommentDocument => ({
        ...comment,
        taggedRegions: comment.taggedRegions.filter((id) => id !== data.regionId),
        position,
      });
      return data.commentIds.map((commentId) => update(COMMENTS, commentId, untag));
    },
    CommentRated: ({ data, meta, position }) => {
      const uid = meta.actorUid ?? '';
      const isSeen = data.from === 'likes' || data.to === 'likes';
      const rate = (comment: CommentDocument): CommentDocument => ({
        ...comment,
        likes: rated(comment.likes, uid, data.to === 'likes'),
        negs: rated(comment.negs, uid, data.to === 'negs'),
        // Only the rater and the author see a dislike.
        ...(isSeen ? { position } : { dislikes: { ...comment.dislikes, [uid]: position } }),
      });
      return [update(COMMENTS, data.commentId, rate)];
    },
  },
);
