import { mayEditComment, mayRateComment } from '@roughmix/contracts/comments/comment.access.js';
import type { ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import { Flag, ThumbsDown, ThumbsUp, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { focusAfterRemoval, focusSoon } from '../../shared/posts/focus-after-removal';
import { useProject } from '../../shared/project/project-context';
import { useSession } from '../../shared/session/session-provider';
import { Button } from '../../shared/ui/button';
import { Icon } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { useRateComment, useRemoveComment } from './comments.queries';

export interface CommentActsProps {
  readonly comment: ActiveComment;
  readonly hasReplies: boolean;
  readonly onEdit: () => void;
  /** The button that opens the replies. */
  readonly children?: ReactNode;
}

const people = (count: number) => (count === 1 ? '1 person' : `${count} people`);

function Rating({ comment }: { readonly comment: ActiveComment }) {
  const { user } = useProject();
  const { requireAccount } = useSession();
  const { shown, rate } = useRateComment(comment, user.uid);
  const isLiked = shown.likes.includes(user.uid);
  const isDisliked = shown.negs?.includes(user.uid) ?? false;
  const likes = shown.likes.length;
  const press = (type: 'likes' | 'negs', on: boolean) => {
    if (requireAccount()) rate(type, on);
  };
  return (
    <>
      <Button
        size="s"
        variant="quiet"
        aria-pressed={isLiked}
        aria-label={likes === 0 ? 'Like' : `Like, liked by ${people(likes)}`}
        onPress={() => press('likes', !isLiked)}
      >
        <Icon of={ThumbsUp} size={14} filled={isLiked} />
        {likes > 0 && <span className="num">{likes}</span>}
      </Button>
      <Button
        size="s"
        variant="quiet"
        aria-pressed={isDisliked}
        aria-label="Dislike"
        title="Only the author sees dislikes, and only their number"
        onPress={() => press('negs', !isDisliked)}
      >
        <Icon of={ThumbsDown} size={14} filled={isDisliked} />
      </Button>
    </>
  );
}

/** The number of ratings, for viewers who cannot rate: the author, and users without the right to comment. */
function RatingCounts({ comment }: { readonly comment: ActiveComment }) {
  const { likes, negCount = 0 } = comment;
  return (
    <>
      {likes.length > 0 && (
        <span className="meta flex">
          <Icon of={ThumbsUp} size={14} />
          <span className="sr">Liked by </span>
          {likes.length}
        </span>
      )}
      {negCount > 0 && (
        <span className="meta flex">
          <Icon of={ThumbsDown} size={14} />
          <span className="sr">Disliked by </span>
          {negCount}
        </span>
      )}
    </>
  );
}

function Remove({ comment, hasReplies }: Pick<CommentActsProps, 'comment' | 'hasReplies'>) {
  const { requireAccount } = useSession();
  const removeWithUndo = useRemoveComment(comment);
  const elementId = `comment-${comment._id}`;
  const own = () => document.getElementById(elementId);
  const remove = () => {
    if (!requireAccount()) return;
    const next = hasReplies ? own() : focusAfterRemoval(elementId);
    removeWithUndo(() => focusSoon(own));
    focusSoon(() => next);
  };
  return <IconButton label="Remove" icon={Trash2} size="s" iconSize={14} onPress={remove} />;
}

/** The buttons below a comment: authors edit and remove it, others rate and report it. */
export function CommentActs({ comment, hasReplies, onEdit, children }: CommentActsProps) {
  const { viewer, user } = useProject();
  const author = { authorUid: comment.user.uid };
  const isOwn = comment.user.uid === user.uid;
  const mayEdit = mayEditComment(viewer, author);
  return (
    <div className="acts">
      {children}
      {mayRateComment(viewer, author) ? <Rating comment={comment} /> : <RatingCounts comment={comment} />}
      {mayEdit && comment.type === 'text' && (
        <Button size="s" variant="quiet" className="edit" onPress={onEdit}>
          Edit
        </Button>
      )}
      {mayEdit && <Remove comment={comment} hasReplies={hasReplies} />}
      {!isOwn && <IconButton label="Report (not available yet)" icon={Flag} size="s" iconSize={14} aria-disabled="true" />}
    </div>
  );
}
