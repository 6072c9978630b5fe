import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommentEditedAnswer } from '@roughmix/contracts/comments/comment.view.js';
import { Refused } from '../kernel/refusal.js';
import { type BlobStore, BlobMissing } from '../platform/blobs/blobs.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { cleanImage, type CleanImage } from '../platform/images.js';
import { BLOBS } from '../platform/tokens.js';
import { type ArrivedUpload, Uploads } from '../platform/uploads/uploads.js';
import { answered, ProjectStreams, uidOf } from '../projects/project.streams.js';
import { CommentAnswers } from './comment-answers.js';
import { AddCommentImage } from './comments.commands.js';
import { CommentsQueries } from './comments.queries.js';

/** Takes an uploaded image into a comment: encoded anew, without what its file said beside the picture. */
@CommandHandler(AddCommentImage)
export class AddCommentImageHandler implements ICommandHandler<AddCommentImage> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly comments: CommentsQueries,
    private readonly answers: CommentAnswers,
    private readonly uploads: Uploads,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  async execute({ context, commentId, body }: AddCommentImage): Promise<CommandAnswer<CommentEditedAnswer>> {
    const uid = uidOf(context);
    const { projectId } = await this.comments.require(commentId, uid, body.projectId);
    const repeated = await this.streams.repeated(context, projectId);
    if (repeated !== null) return answered(repeated, await this.answers.edited(uid, projectId, commentId));
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
    return answered(done, await this.answers.edited(uid, projectId, commentId));
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
