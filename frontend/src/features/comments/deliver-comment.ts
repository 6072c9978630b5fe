import { COMMENT_PATHS } from '@roughmix/contracts/comments/comment.paths.js';
import type { CommentAddedAnswer, CommentEditedAnswer, CommentReplyAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { newCommandId } from '../../shared/api/own-commands';
import { uploadFile } from '../../shared/api/upload';
import { takeComments } from './comments.queries';
import type { Deliver, Outgoing } from './outbox';

const submissionOf = ({ content, versionId, stamp, region }: Outgoing) => ({
  content,
  ...(versionId === null ? {} : { versionId }),
  ...(stamp === null ? {} : { stamp }),
  ...(region === null ? {} : { taggedRegions: [{ _id: region._id }] }),
});

interface Image {
  readonly commentId: Id;
  uploaded: { readonly uploadId: Id; readonly key: string } | null;
}

interface Way {
  readonly cache: QueryClient;
  readonly projectId: Id;
  /** Images on their way, by the key of what is sent. */
  readonly images: Map<string, Image>;
}

async function bringText({ cache, projectId }: Way, outgoing: Outgoing): Promise<Id> {
  const body = { projectId, submission: submissionOf(outgoing) };
  const commandId = outgoing.key;
  if (outgoing.parentId === null) {
    const { answer } = await api.send<CommentAddedAnswer>('POST', COMMENT_PATHS.add, body, { commandId });
    takeComments(cache, projectId, [answer.newComment]);
    return answer.newComment._id;
  }
  const { answer } = await api.send<CommentReplyAnswer>('POST', COMMENT_PATHS.reply(outgoing.parentId), body, { commandId });
  takeComments(cache, projectId, [answer.updatedParentComment, answer.newComment]);
  return answer.newComment._id;
}

async function begin({ projectId, images }: Way, { key, content, versionId }: Outgoing): Promise<Image> {
  const known = images.get(key);
  if (known) return known;
  const submission = { type: 'image', content: { filename: content }, ...(versionId === null ? {} : { versionId }) };
  const { answer } = await api.send<CommentAddedAnswer>('POST', COMMENT_PATHS.add, { projectId, submission }, { commandId: key });
  const image: Image = { commentId: answer.newComment._id, uploaded: null };
  images.set(key, image);
  return image;
}

/** The comment first, then the file, then the comment with its file: each step once, however often it is tried. */
async function bringImage(way: Way, outgoing: Outgoing, file: File): Promise<Id> {
  const { cache, projectId } = way;
  const image = await begin(way, outgoing);
  const { commentId } = image;
  image.uploaded ??= { uploadId: (await uploadFile(file, { purpose: 'comment-image', projectId, commentId })).uploadId, key: newCommandId() };
  const { uploadId, key } = image.uploaded;
  try {
    const body = { projectId, submission: { content: { uploadId } } };
    const { answer } = await api.send<CommentEditedAnswer>('PUT', COMMENT_PATHS.one(commentId), body, { commandId: key });
    takeComments(cache, projectId, [answer.updatedContent]);
    return commentId;
  } catch (error) {
    // A refused upload is gone from the server; after no answer it may have been used, and the key says so.
    if (error instanceof ApiProblem && error.problem.status < 500) image.uploaded = null;
    throw error;
  }
}

/** Brings comments to the server and what it answers into the cache. */
export function delivery(cache: QueryClient, projectId: Id): Deliver {
  const way: Way = { cache, projectId, images: new Map() };
  return (outgoing, file) => (outgoing.kind === 'image' && file !== undefined ? bringImage(way, outgoing, file) : bringText(way, outgoing));
}
