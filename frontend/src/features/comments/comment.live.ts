import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient } from '@tanstack/react-query';
import { projectChannel } from '../../shared/live/channels';
import type { LiveHandlers } from '../../shared/live/handlers';
import { dropComments, takeComments } from './comments.queries';

export const COMMENTS_CHANNEL = projectChannel('comments');

interface Removal {
  readonly projectId: Id;
  readonly ids: readonly Id[];
  readonly position: Position;
}

const take = (cache: QueryClient, { projectId, view }: { readonly projectId: Id; readonly view: CommentView }) => takeComments(cache, projectId, [view]);
const drop = (cache: QueryClient, { projectId, ids, position }: Removal) => dropComments(cache, projectId, ids, position);

/** Pushes and command answers write to the same list; the newest position wins. */
export const commentLive = {
  CommentAdded: take,
  CommentReplyAdded: take,
  CommentEdited: take,
  CommentRated: take,
  CommentRemoved: drop,
  CommentReplyRemoved: drop,
} satisfies LiveHandlers;
