import { relativeTime } from '@roughmix/contracts/shared/relative-time.js';
import type { CommentView, StandingComment, TaggedRegionView } from '@roughmix/contracts/comments/comment.view.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNow } from '../../shared/hooks/use-now';
import { Avatar } from '../../shared/ui/avatar';
import { classNames } from '../../shared/ui/class-names';
import { Tag } from '../../shared/ui/tag';
import { When } from '../../shared/ui/when';
import { CommentActs } from './comment-acts';
import { CommentEditor } from './comment-editor';
import { CommentImage, CommentText } from './comment-text';
import { StampButton } from './stamp-chip';
import { type Place, usePlace } from './surroundings';

export interface CommentArticleProps {
  readonly comment: CommentView;
  readonly hasReplies: boolean;
  /** Counts up each time the page leads here; 0 before that. */
  readonly lit: number;
  readonly isNew: boolean;
  readonly children?: ReactNode;
}

/** Where a comment is led to, and lit for a moment so that the eye finds it. */
function useLit(lit: number) {
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = article;
    if (lit === 0 || current === null) return;
    current.scrollIntoView({ block: 'center' });
    current.focus({ preventScroll: true });
  }, [lit]);
  return article;
}

/** A region as it is now; before a change of it has been heard of, as the comment knows it. */
function asItIs(tag: TaggedRegionView, { regions }: Place): TaggedRegionView {
  const region = regions.get(tag._id);
  return region === undefined ? tag : { ...tag, tag: region.tag, start: region.start, end: region.end, timespan: region.timespan };
}

function whereSaid({ versionId }: StandingComment, { versions }: Place): string {
  if (versionId === null) return '';
  const version = versions.find(({ _id }) => _id === versionId);
  return version === undefined ? ', on a removed version' : `, on ${versionNumber(version)}`;
}

function Who({ comment }: { readonly comment: StandingComment }) {
  const place = usePlace();
  const now = useNow();
  const { stamp } = comment;
  const isStampThere = stamp !== null && place.versions.some(({ _id }) => _id === stamp.versionId);
  return (
    <div className="who">
      <b>{fullName(comment.user)}</b>
      <span className="meta">
        <When at={comment.dateAdded}>{relativeTime(Math.min(comment.dateAdded, now), now)}</When>
        {whereSaid(comment, place)}
        {comment.edited !== null && comment.type === 'text' && ', edited'}
      </span>
      {stamp !== null && <StampButton stamp={stamp} onPress={isStampThere ? () => place.onStamp(stamp) : null} />}
      {comment.taggedRegions.map((tagged) => {
        const region = asItIs(tagged, place);
        return <Tag key={region._id} category={region.tag} span={region} onPress={() => place.onRegion(region)} />;
      })}
    </div>
  );
}

function Standing({ comment, hasReplies, children }: Pick<CommentArticleProps, 'hasReplies' | 'children'> & { readonly comment: StandingComment }) {
  const [isEdited, setEdited] = useState(false);
  const words = useRef<HTMLDivElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    if (wasEdited.current && !isEdited) words.current?.querySelector<HTMLElement>('.edit')?.focus({ preventScroll: true });
    wasEdited.current = isEdited;
  }, [isEdited]);
  const { content } = comment;
  if (isEdited && typeof content === 'string') {
    return <CommentEditor comment={comment} content={content} onDone={() => setEdited(false)} />;
  }
  return (
    <div ref={words}>
      {typeof content === 'string' ? <CommentText content={content} /> : <CommentImage content={content} />}
      <CommentActs comment={comment} hasReplies={hasReplies} onEdit={() => setEdited(true)}>
        {children}
      </CommentActs>
    </div>
  );
}

/** One comment or reply. */
export function CommentArticle({ comment, hasReplies, lit, isNew, children }: CommentArticleProps) {
  const article = useLit(lit);
  const look = classNames('say', isNew && 'arrives', lit > 0 && (lit % 2 === 0 ? 'is-lit is-lit-again' : 'is-lit'));
  const name = comment.removed ? '' : fullName(comment.user);
  const size = !comment.removed && comment.isReply ? 28 : 32;
  return (
    <article ref={article} className={look} id={`comment-${comment._id}`} tabIndex={-1} aria-label={comment.removed ? 'Removed comment' : `Comment by ${name}`}>
      <Avatar name={name} photo={comment.removed ? undefined : comment.user.smallPhoto} size={size} isDecorative />
      {comment.removed ? (
        <div>
          <p className="text soft">content removed...</p>
          <div className="acts">{children}</div>
        </div>
      ) : (
        <>
          <Who comment={comment} />
          <Standing comment={comment} hasReplies={hasReplies}>
            {children}
          </Standing>
        </>
      )}
    </article>
  );
}
