import { IsBoolean, IsIn } from 'class-validator';
import { Filename, IdField, Nested, Optional, Prose } from '../shared/body.js';
import { LIMITS } from '../shared/limits.js';
import { PlacedMarksBody } from '../shared/marks.api.js';
import type { Rating } from './comment.events.js';

/** The text of a comment, with what it refers to. */
export class TextComment extends PlacedMarksBody {
  @Optional()
  @IsIn(['text'])
  type?: 'text';
  @Prose(LIMITS.comment, 'limit.content')
  content: string;
}

export class ImageStart {
  @Filename()
  filename: string;
}

/** An image comment starts with its file name alone; the edit call adds the image. */
export class ImageComment {
  @IsIn(['image'])
  type: 'image';
  @Nested(() => ImageStart)
  content: ImageStart;
  @Optional()
  @IdField()
  versionId?: string;
}

/** POST /api/comments with text; an image comment is {@link NewImageCommentBody}. */
export class NewCommentBody {
  @IdField()
  projectId: string;
  @Nested(() => TextComment)
  submission: TextComment;
}

export class NewImageCommentBody {
  @IdField()
  projectId: string;
  @Nested(() => ImageComment)
  submission: ImageComment;
}

/** Changes to a comment; missing fields stay as they are. `stamp: null` removes the timestamp, `taggedRegions: []` the regions. */
export class CommentChanges extends PlacedMarksBody {
  @Optional()
  @Prose(LIMITS.comment, 'limit.content')
  content?: string;
}

/** PUT /api/comments/{id} with text; with an image it is {@link CommentImageBody}. */
export class EditCommentBody {
  @Optional()
  @IdField()
  projectId?: string;
  @Nested(() => CommentChanges)
  submission: CommentChanges;
}

export class UploadedImage {
  @IdField()
  uploadId: string;
}
export class ImageChange {
  @Nested(() => UploadedImage)
  content: UploadedImage;
}
export class CommentImageBody {
  @Optional()
  @IdField()
  projectId?: string;
  @Nested(() => ImageChange)
  submission: ImageChange;
}

/** POST /api/comments/{id}/reply */
export class ReplyBody {
  @IdField()
  projectId: string;
  @Nested(() => TextComment)
  submission: TextComment;
}

/** PUT /api/comments/{id}/rating */
export class RatingBody {
  @Optional()
  @IdField()
  projectId?: string;
  @IsIn(['likes', 'negs'])
  type: Rating;
  @IsBoolean()
  on: boolean;
}
