import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { mayEditComment } from '@roughmix/contracts/comments/comment.access.js';
import type { CommentEditedAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { type BlobStore, BlobMissing } from '../platform/blobs/blobs.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { cleanImage, type CleanImage } from '../platform/images.js';
import { BLOBS } from '../platform/tokens.js';
import { type ArrivedUpload, Uploads } from '../platform/uploads/uploads.js';
import type { Executed } from '../platform/streams.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { answered, ProjectStreams, uidOf } from '../projects/project.streams.js';
import { CommentAnswers } from './comment-answers.js';
import { AddCommentImage } from './comments.commands.js';
import type { CommentDocument } from './comments.documents.js';
import { CommentsQueries } from './comments.queries.js';

/** Takes an uploaded image into a comment: encoded anew, without what its file said beside the picture. */
@CommandHandler(AddCommentImage)
export class AddCommentImageHandler implements ICommandHandler<AddCommentImage> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly comments: CommentsQueries,
    private readonly answers: CommentAnswers,
    private readonly access: ProjectAccessQueries,
    private readonly uploads: Uploads,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  async execute(asked: AddCommentImage): Promise<CommandAnswer<CommentEditedAnswer>> {
    const { context, commentId, body } = asked;
    const uid = uidOf(context);
    const comment = await this.comments.require(commentId, uid, body.projectId);
    const { projectId } = comment;
    const done = (await this.streams.repeated(context, projectId)) ?? (await this.take(asked, comment));
    return answered(done, await this.answers.edited(uid, projectId, commentId));
  }

  private async take(asked: AddCommentImage, comment: CommentDocument): Promise<Executed<ProjectStreamEvent>> {
    const { who } = await this.access.require(comment.projectId, uidOf(asked.context));
    if (!mayEditComment(who, comment)) throw new Refused('comment.not-yours');
    try {
      return await this.use(asked, comment.projectId);
    } catch (error) {
      // Sent twice at the same time: the other one took the file while this one looked at it.
      const meanwhile = error instanceof Refused ? await this.streams.repeated(asked.context, comment.projectId) : null;
      if (meanwhile === null) throw error;
      return meanwhile;
    }
  }

  private async use({ context, commentId, body }: AddCommentImage, projectId: Id): Promise<Executed<ProjectStreamEvent>> {
    const uid = uidOf(context);
    const { uploadId } = body.submission.content;
    const upload = await this.uploads.arrived(uploadId, { uid, purpose: 'comment-image', projectId });
    if (upload.record.commentId !== commentId) throw new Refused('upload.not-found');
    const image = await this.clean(upload);
    const key = `${uid}/ProjectMediaFiles/${projectId}/${commentId}/${uploadId}.${image.extension}`;
    const { contentType, width, height } = image;
    const write = async (): Promise<void> => {
      await this.uploads.willMoveTo(upload, key);
      await this.blobs.write(key, image.bytes);
    };
    const data = { commentId, uploadId, key, contentType, width, height };
    const done = await this.streams.run(context, projectId, { type: 'AddCommentImage', data }, { prepare: write });
    await this.uploads.discard(upload);
    return done;
  }

  private async clean(upload: ArrivedUpload): Promise<CleanImage> {
    const image = await this.blobs.withLocalFile(upload.key, cleanImage).catch((error: unknown) => {
      throw error instanceof BlobMissing ? new Refused('upload.not-found') : error;
    });
    if (image === null) {
      await this.uploads.discard(upload);
      throw new Refused('upload.not-image');
    }
    return image;
  }
}
