import type { Id, Instant, Position, Uid } from '../shared/ids.js';
import type { Stamp } from '../shared/marks.js';
import type { TodoView } from '../todos/todo.view.js';
import type { ProjectView } from '../projects/project.view.js';
import type { PersonView } from '../users/user.view.js';
import type { RegionView, TaggedRegionView } from '../regions/region.view.js';
import type { VersionView } from '../versions/version.view.js';

/** The content of an image comment; `mediaUrl` is null until the file is stored. */
export interface ImageContent {
  readonly mediaUrl: string | null;
  readonly filename: string;
  readonly dateAdded: Instant;
  readonly width: number | null;
  readonly height: number | null;
}

/** A comment or a reply that has not been removed. */
export interface ActiveComment {
  readonly _id: Id;
  readonly projectId: Id;
  readonly removed?: undefined;
  readonly type: 'text' | 'image';
  /** Text with mentions in the wire form, or an image. */
  readonly content: string | ImageContent;
  readonly user: PersonView;
  readonly dateAdded: Instant;
  readonly edited: Instant | null;
  readonly versionId: Id | null;
  readonly stamp: Stamp | null;
  readonly taggedRegions: readonly TaggedRegionView[];
  readonly taggedUsers: readonly Uid[];
  readonly isReply: boolean;
  readonly parentCommentId: Id | null;
  readonly replyIds: readonly Id[];
  readonly groupId: null;
  readonly projectOwner: Uid;
  readonly likes: readonly Uid[];
  /** The caller's own uid, or empty. Never sent to a room. */
  readonly negs?: readonly Uid[];
  /** Only for its author. Never sent to a room. */
  readonly negCount?: number;
  readonly position: Position;
}

/** A removed comment that stays because it has replies; without replies, what a repeated command returns for a comment that is gone. */
export interface RemovedComment {
  readonly _id: Id;
  readonly projectId: Id;
  readonly removed: true;
  readonly content: null;
  readonly user: null;
  readonly dateAdded: Instant;
  readonly replyIds: readonly Id[];
  readonly position: Position;
}

export type CommentView = ActiveComment | RemovedComment;

export interface CommentsAnswer {
  readonly comments: readonly CommentView[];
}
export interface CommentAddedAnswer {
  readonly newComment: CommentView;
  readonly oldComment: null;
  readonly updatedProject: ProjectView;
}
export interface CommentReplyAnswer {
  readonly newComment: CommentView;
  readonly updatedParentComment: CommentView;
  readonly updatedProject: ProjectView;
}
export interface CommentEditedAnswer {
  readonly updatedContent: CommentView;
  readonly updatedProject: ProjectView;
}
export interface CommentRemovedAnswer {
  readonly updatedParentComment: CommentView | null;
  readonly updatedProject: ProjectView;
}
export interface CommentRatedAnswer {
  readonly updatedComment: CommentView;
  readonly updatedProject: ProjectView;
}

export const commentImageUrl = (commentId: Id): string => `/api/comments/${commentId}/image`;

/** Everything that a project page shows first. */
export interface ProjectPageAnswer {
  readonly data: {
    readonly project: ProjectView;
    readonly versions: readonly VersionView[];
    readonly regions: readonly RegionView[];
    /** Active and completed ones and their replies, in the order added. */
    readonly todos: readonly TodoView[];
    readonly comments: readonly CommentView[];
  };
}
