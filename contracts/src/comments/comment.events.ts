import type { EventClasses } from '../shared/field-classes.js';
import type { Id, Uid } from '../shared/ids.js';
import { type Marks, marksClasses } from '../shared/marks.js';

export type Rating = 'likes' | 'negs';

export interface CommentEvents {
  /** `content` holds stored mentions. An image comment starts with its file name alone and is shown once its image is there. */
  CommentAdded: {
    readonly commentId: Id;
    readonly kind: 'text' | 'image';
    readonly content: string;
    readonly versionId: Id | null;
    readonly taggedUsers: readonly Uid[];
    readonly marks: Marks;
  };
  CommentReplyAdded: {
    readonly commentId: Id;
    readonly parentCommentId: Id;
    readonly content: string;
    readonly versionId: Id | null;
    readonly taggedUsers: readonly Uid[];
    readonly marks: Marks;
  };
  CommentEdited: {
    readonly commentId: Id;
    readonly content: string;
    readonly taggedUsers: readonly Uid[];
    readonly from: Marks;
    readonly to: Marks;
  };
  'CommentImageAdded.v2': {
    readonly commentId: Id;
    readonly uploadId: Id;
    readonly key: string;
    readonly contentType: string;
    readonly width: number;
    readonly height: number;
    /** Stored bytes. */
    readonly size: number;
  };
  /** `gone` lists the comments that disappear: this one (unless it has replies), and a removed parent that lost its last reply. */
  CommentRemoved: { readonly commentId: Id; readonly parentCommentId: Id | null; readonly taggedRegions: readonly Id[]; readonly gone: readonly Id[] };
  CommentRated: { readonly commentId: Id; readonly from: Rating | null; readonly to: Rating | null };
}

export const COMMENT_EVENT_CLASSES: EventClasses<CommentEvents> = {
  CommentAdded: { commentId: 'plain', kind: 'plain', content: 'content', versionId: 'plain', taggedUsers: 'plain', ...marksClasses('marks') },
  CommentReplyAdded: { commentId: 'plain', parentCommentId: 'plain', content: 'content', versionId: 'plain', taggedUsers: 'plain', ...marksClasses('marks') },
  CommentEdited: { commentId: 'plain', content: 'content', taggedUsers: 'plain', ...marksClasses('from'), ...marksClasses('to') },
  'CommentImageAdded.v2': {
    commentId: 'plain',
    uploadId: 'plain',
    key: 'content',
    contentType: 'plain',
    width: 'plain',
    height: 'plain',
    size: 'plain',
  },
  CommentRemoved: { commentId: 'plain', parentCommentId: 'plain', taggedRegions: 'plain', gone: 'plain' },
  CommentRated: { commentId: 'plain', from: 'plain', to: 'plain' },
};
