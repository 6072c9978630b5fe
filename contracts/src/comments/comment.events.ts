import type { EventClasses } from '../shared/field-classes.js';
import type { Id, Uid } from '../shared/ids.js';

/** A timestamp in a version, `at` in seconds. */
export interface Stamp {
  readonly versionId: Id;
  readonly at: number;
}

export type Rating = 'likes' | 'negs';

/** What a comment refers to. */
export interface CommentMarks {
  readonly taggedRegions: readonly Id[];
  readonly stamp: Stamp | null;
}

export interface CommentEvents {
  /** `content` holds stored mentions. An image comment starts with its file name alone and is shown once its image is there. */
  CommentAdded: {
    readonly commentId: Id;
    readonly kind: 'text' | 'image';
    readonly content: string;
    readonly versionId: Id | null;
    readonly taggedUsers: readonly Uid[];
    readonly marks: CommentMarks;
  };
  CommentReplyAdded: {
    readonly commentId: Id;
    readonly parentCommentId: Id;
    readonly content: string;
    readonly versionId: Id | null;
    readonly taggedUsers: readonly Uid[];
    readonly marks: CommentMarks;
  };
  CommentEdited: {
    readonly commentId: Id;
    readonly content: string;
    readonly taggedUsers: readonly Uid[];
    readonly from: CommentMarks;
    readonly to: CommentMarks;
  };
  CommentImageAdded: {
    readonly commentId: Id;
    readonly uploadId: Id;
    readonly key: string;
    readonly contentType: string;
    readonly width: number;
    readonly height: number;
  };
  /** `gone` lists the comments that disappear: this one (unless it has replies), and a removed parent that lost its last reply. */
  CommentRemoved: { readonly commentId: Id; readonly parentCommentId: Id | null; readonly taggedRegions: readonly Id[]; readonly gone: readonly Id[] };
  CommentRated: { readonly commentId: Id; readonly from: Rating | null; readonly to: Rating | null };
}

const marks = <Name extends string>(name: Name) =>
  ({ [`${name}.taggedRegions`]: 'plain', [`${name}.stamp`]: 'plain', [`${name}.stamp.versionId`]: 'plain', [`${name}.stamp.at`]: 'plain' }) as const;

export const COMMENT_EVENT_CLASSES: EventClasses<CommentEvents> = {
  CommentAdded: { commentId: 'plain', kind: 'plain', content: 'content', versionId: 'plain', taggedUsers: 'plain', ...marks('marks') },
  CommentReplyAdded: { commentId: 'plain', parentCommentId: 'plain', content: 'content', versionId: 'plain', taggedUsers: 'plain', ...marks('marks') },
  CommentEdited: { commentId: 'plain', content: 'content', taggedUsers: 'plain', ...marks('from'), ...marks('to') },
  CommentImageAdded: { commentId: 'plain', uploadId: 'plain', key: 'content', contentType: 'plain', width: 'plain', height: 'plain' },
  CommentRemoved: { commentId: 'plain', parentCommentId: 'plain', taggedRegions: 'plain', gone: 'plain' },
  CommentRated: { commentId: 'plain', from: 'plain', to: 'plain' },
};
