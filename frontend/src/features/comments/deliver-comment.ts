import { COMMENT_PATHS } from '@roughmix/contracts/comments/comment.paths.js';
import type { CommentAddedAnswer, CommentEditedAnswer, CommentReplyAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { newCommandId } from '../../shared/api/own-commands';
import { uploadFile } from '../../shared/api/upload';
import { submissionOf } from '../../shared/posts/new-post';
import type { Attempt, Deliver } from '../../shared/writing/outbox';
import { takeComments } from './comments.queries';
import type { NewComment, OutgoingComment } from './new-comment';

interface PendingImage {
  readonly commentId: Id;
  uploaded: { readonly uploadId: Id; readonly commandId: string } | null;
}

interface DeliveryContext {
  readonly cache: QueryClient;
  readonly projectId: Id;
  /** Images whose delivery has begun, by the key of their item. */
  readonly images: Map<string, PendingImage>;
}

async function deliverText({ cache, projectId }: DeliveryContext, comment: OutgoingComment, signal: AbortSignal): Promise<Id> {
  const body = { projectId, submission: submissionOf(comment) };
  const options = { commandId: comment.key, signal };
  if (comment.parentId === null) {
    const { answer } = await api.send<CommentAddedAnswer>('POST', COMMENT_PATHS.add, body, options);
    takeComments(cache, projectId, [answer.newComment]);
    return answer.newComment._id;
  }
  const { answer } = await api.send<CommentReplyAnswer>('POST', COMMENT_PATHS.reply(comment.parentId), body, options);
  takeComments(cache, projectId, [answer.updatedParentComment, answer.newComment]);
  return answer.newComment._id;
}

async function addImageComment({ projectId, images }: DeliveryContext, comment: OutgoingComment, signal: AbortSignal): Promise<PendingImage> {
  const { key, content, versionId } = comment;
  const known = images.get(key);
  if (known) return known;
  const submission = { type: 'image', content: { filename: content }, ...(versionId === null ? {} : { versionId }) };
  const { answer } = await api.send<CommentAddedAnswer>('POST', COMMENT_PATHS.add, { projectId, submission }, { commandId: key, signal });
  const image: PendingImage = { commentId: answer.newComment._id, uploaded: null };
  images.set(key, image);
  return image;
}

/** Adds the comment, uploads the file, then edits the comment to show it. A step that succeeded is not repeated by the next attempt. */
async function deliverImage(context: DeliveryContext, comment: OutgoingComment, { file, signal }: Attempt): Promise<Id> {
  if (file === undefined) throw new Error('an image is sent with its file');
  const { cache, projectId } = context;
  const image = await addImageComment(context, comment, signal);
  const { commentId } = image;
  if (image.uploaded === null) {
    const { uploadId } = await uploadFile(file, { purpose: 'comment-image', projectId, commentId }, { signal });
    image.uploaded = { uploadId, commandId: newCommandId() };
  }
  const { uploadId, commandId } = image.uploaded;
  try {
    const body = { projectId, submission: { content: { uploadId } } };
    const { answer } = await api.send<CommentEditedAnswer>('PUT', COMMENT_PATHS.one(commentId), body, { commandId, signal });
    takeComments(cache, projectId, [answer.updatedContent]);
    return commentId;
  } catch (error) {
    // The server discards a refused upload. Without an answer it may have used it; the retry with the same command id shows that.
    if (error instanceof ApiProblem && error.problem.status < 500) image.uploaded = null;
    throw error;
  }
}

/** Delivers comments to the server and puts the answers into the cache. */
export function createDelivery(cache: QueryClient, projectId: Id): Deliver<NewComment> {
  const context: DeliveryContext = { cache, projectId, images: new Map() };
  return (comment, attempt) => (comment.kind === 'image' ? deliverImage(context, comment, attempt) : deliverText(context, comment, attempt.signal));
}
