import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { mayEditComment } from '@roughmix/contracts/comments/comment.access.js';
import type { CommentEditedAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { Images } from '../platform/images/images.js';
import { type Preparation, prepareOnce } from '../platform/streams/streams.js';
import { BLOBS } from '../platform/tokens.js';
import { fromUploadedImage } from '../platform/uploads/uploaded-image.js';
import { Uploads } from '../platform/uploads/uploads.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { PartsQueries } from '../projects/parts.queries.js';
import { type ProjectCommand, ProjectStreams, uidOf } from '../projects/project.streams.js';
import { QuotasQueries } from '../quotas/quotas.queries.js';
import { CommentAnswers } from './comment-answers.js';
import { AddCommentImage } from './comments.commands.js';
import { CommentsQueries } from './comments.queries.js';

interface PreparedImage {
  readonly data: CommentEvents['CommentImageAdded.v2'];
  /** Writes the image, once: a conflict decides the command again. */
  readonly write: () => Preparation | null;
}

/** Adds an uploaded image to a comment. It is re-encoded, which strips metadata such as the location of a photo. */
@CommandHandler(AddCommentImage)
export class AddCommentImageHandler implements ICommandHandler<AddCommentImage> {
  @Inject()
  private readonly quotas: QuotasQueries;

  @Inject()
  private readonly images: Images;

  constructor(
    private readonly streams: ProjectStreams,
    private readonly comments: CommentsQueries,
    private readonly parts: PartsQueries,
    private readonly answers: CommentAnswers,
    private readonly access: ProjectAccessQueries,
    readonly uploads: Uploads,
    @Inject(BLOBS) readonly blobs: BlobStore,
  ) {}

  async execute(command: AddCommentImage): Promise<CommandAnswer<CommentEditedAnswer>> {
    const { context, commentId, body } = command;
    const uid = uidOf(context);
    const projectId = await this.parts.projectOf({ partId: commentId, projectId: body.projectId, uid, missing: 'comment.not-found' });
    let prepared: PreparedImage | null = null;
    const buildCommand = async (): Promise<ProjectCommand> => {
      prepared = await this.prepare(command, projectId);
      return { type: 'AddCommentImage', data: prepared.data };
    };
    const result = await this.streams.run(context, projectId, buildCommand, {
      prepare: () => prepared?.write() ?? null,
      turn: (append) => this.quotas.addBytes(uid, prepared?.data.size ?? 0, append),
    });
    await this.uploads.finish(body.submission.content.uploadId);
    return this.streams.answer(result, () => this.answers.edited({ context, uid, projectId, result }, commentId));
  }

  /** The event's data, and the write that must precede the event. */
  private async prepare({ context, commentId, body }: AddCommentImage, projectId: Id): Promise<PreparedImage> {
    const uid = uidOf(context);
    const comment = await this.comments.require(commentId, uid, projectId);
    const { who } = await this.access.require(projectId, uid);
    if (!mayEditComment(who, comment)) throw new Refused('comment.not-yours');
    const { uploadId } = body.submission.content;
    const upload = await this.uploads.findArrived(uploadId, { uid, purpose: 'comment-image', projectId });
    if (upload.record.commentId !== commentId) throw new Refused('upload.not-found');
    await this.quotas.requireBytes(uid, upload.record.size);
    const image = await fromUploadedImage(this, upload, context.commandId, (path) => this.images.clean(path));
    const key = `${uid}/ProjectMediaFiles/${projectId}/${commentId}/${uploadId}.${image.extension}`;
    const { contentType, width, height } = image;
    const store = async (): Promise<void> => {
      await this.uploads.recordMove(upload, key);
      await this.blobs.write(key, image.bytes);
    };
    return { data: { commentId, uploadId, key, contentType, width, height, size: image.bytes.length }, write: prepareOnce(store) };
  }
}
