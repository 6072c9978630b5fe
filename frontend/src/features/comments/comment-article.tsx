import { relativePast } from '@roughmix/contracts/shared/relative-time.js';
import type { CommentView, ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import type { TaggedRegionView } from '@roughmix/contracts/regions/region.view.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNow } from '../../shared/hooks/use-now';
import { type ProjectContextValue, useProject } from '../../shared/project/project-context';
import { Avatar } from '../../shared/ui/avatar';
import { classNames } from '../../shared/ui/class-names';
import { Tag } from '../../shared/ui/tag';
import { When } from '../../shared/ui/when';
import { StampButton } from '../../shared/writing/stamp-chip';
import { TextWithMentions } from '../../shared/writing/text-with-mentions';
import { CommentActs } from './comment-acts';
import { CommentEditor } from './comment-editor';
import { CommentImage } from './comment-image';
import './comments.css';

export interface CommentArticleProps {
  readonly comment: CommentView;
  readonly hasReplies: boolean;
  /** The last request to highlight this comment; 0 for none. */
  readonly highlightRequest: number;
  readonly isNew: boolean;
  readonly children?: ReactNode;
}

/** Scrolls to the comment and focuses it at each request. */
function useHighlight(request: number) {
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = article;
    if (request === 0 || current === null) return;
    current.scrollIntoView({ block: 'center' });
    current.focus({ preventScroll: true });
  }, [request]);
  return article;
}

/** The region as it is now: an edit of a region does not change the comments that are tagged with it. */
function currentTag(tag: TaggedRegionView, { regions }: ProjectContextValue): TaggedRegionView {
  const region = regions.get(tag._id);
  return region === undefined ? tag : { ...tag, tag: region.tag, start: region.start, end: region.end, timespan: region.timespan };
}

function versionNote({ versionId }: ActiveComment, { versions }: ProjectContextValue): string {
  if (versionId === null) return '';
  const version = versions.find(({ _id }) => _id === versionId);
  return version === undefined ? ', on a removed version' : `, on ${versionNumber(version)}`;
}

function Byline({ comment }: { readonly comment: ActiveComment }) {
  const project = useProject();
  const now = useNow();
  const { stamp } = comment;
  const hasStampedVersion = stamp !== null && project.versions.some(({ _id }) => _id === stamp.versionId);
  return (
    <div className="who">
      <b>{fullName(comment.user)}</b>
      <span className="meta">
        <When at={comment.dateAdded}>{relativePast(comment.dateAdded, now)}</When>
        {versionNote(comment, project)}
        {comment.edited !== null && comment.type === 'text' && ', edited'}
      </span>
      {stamp !== null && <StampButton stamp={stamp} onPress={hasStampedVersion ? () => project.goTo(stamp) : null} />}
      {comment.taggedRegions.map((tagged) => {
        const region = currentTag(tagged, project);
        const versionId = project.regions.get(region._id)?.versionId ?? null;
        const at = versionId === null ? null : region.start;
        return <Tag key={region._id} category={region.tag} span={region} onPress={() => project.goTo({ versionId, at, regionId: region._id })} />;
      })}
    </div>
  );
}

function Content({ comment, hasReplies, children }: Pick<CommentArticleProps, 'hasReplies' | 'children'> & { readonly comment: ActiveComment }) {
  const [isEdited, setEdited] = useState(false);
  const view = useRef<HTMLDivElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    if (wasEdited.current && !isEdited) view.current?.querySelector<HTMLElement>('.edit')?.focus({ preventScroll: true });
    wasEdited.current = isEdited;
  }, [isEdited]);
  const { content } = comment;
  if (isEdited && typeof content === 'string') {
    return <CommentEditor comment={comment} content={content} onDone={() => setEdited(false)} />;
  }
  return (
    <div ref={view}>
      {typeof content === 'string' ? <TextWithMentions content={content} /> : <CommentImage content={content} />}
      <CommentActs comment={comment} hasReplies={hasReplies} onEdit={() => setEdited(true)}>
        {children}
      </CommentActs>
    </div>
  );
}

/** One comment or reply. */
export function CommentArticle({ comment, hasReplies, highlightRequest, isNew, children }: CommentArticleProps) {
  const article = useHighlight(highlightRequest);
  // Two classes in turn restart the animation.
  const highlighted = highlightRequest > 0 && (highlightRequest % 2 === 0 ? 'is-highlighted is-highlighted-again' : 'is-highlighted');
  const name = comment.removed ? '' : fullName(comment.user);
  const size = !comment.removed && comment.isReply ? 28 : 32;
  return (
    <article
      ref={article}
      className={classNames('say', isNew && 'arrives', highlighted)}
      id={`comment-${comment._id}`}
      tabIndex={-1}
      aria-label={comment.removed ? 'Removed comment' : `Comment by ${name}`}
    >
      <Avatar name={name} photo={comment.removed ? undefined : comment.user.smallPhoto} size={size} isDecorative />
      {comment.removed ? (
        <div>
          <p className="text soft">content removed...</p>
          <div className="acts">{children}</div>
        </div>
      ) : (
        <>
          <Byline comment={comment} />
          <Content comment={comment} hasReplies={hasReplies}>
            {children}
          </Content>
        </>
      )}
    </article>
  );
}
