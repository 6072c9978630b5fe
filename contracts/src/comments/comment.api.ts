import { ArrayMaxSize, IsBoolean, IsIn, IsNumber, Min } from 'class-validator';
import { IdField, Line, Nested, NestedList, Nullable, Optional, Prose } from '../shared/body.js';
import { LIMITS } from '../shared/limits.js';
import type { Rating } from './comment.events.js';

export class StampBody {
  @IdField()
  versionId: string;
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  at: number;
}

export class TaggedRegionBody {
  @IdField()
  _id: string;
}

/** What a comment is about, beside its words: the version (the current one when missing), at most one region, the moment. */
class MarksBody {
  @Optional()
  @IdField()
  versionId?: string;
  @Optional()
  @ArrayMaxSize(LIMITS.taggedRegions)
  @NestedList(() => TaggedRegionBody)
  taggedRegions?: TaggedRegionBody[];
  @Nullable()
  @Nested(() => StampBody)
  stamp?: StampBody | null;
}

/** The words and marks of a comment, as its text form. */
export class TextComment extends MarksBody {
  @Prose(LIMITS.comment, 'limit.content')
  content: string;
}

export class ImageStart {
  @Line(LIMITS.filename, 'request.invalid')
  filename: string;
}

/** An image comment begins with its file's name; the image follows by the edit call. */
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

/** What of a comment changes; what is missing stays. `stamp: null` takes it away, `taggedRegions: []` clears them. */
export class CommentChanges extends MarksBody {
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

/** POST /api/comments/{id}: removal. */
export class RemoveCommentBody {
  @IdField()
  projectId: string;
}
