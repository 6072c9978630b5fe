import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import { lazy, memo, type Ref, Suspense, useDeferredValue, useMemo } from 'react';
import type { RegionEditor } from '../../features/regions/use-region-editor';
import { useStableCallback } from '../../shared/hooks/use-stable-callback';
import type { ComposerHandle } from '../../shared/posts/composer';
import type { Highlight } from '../../shared/posts/highlight';
import type { SelectedRegion } from '../../shared/posts/new-post';
import { SkeletonRows } from '../../shared/ui/skeleton';

const CommentsPanel = memo(lazy(async () => ({ default: (await import('../../features/comments/comments-panel')).CommentsPanel })));

function useSelectedRegion({ selected, save }: RegionEditor): SelectedRegion | null {
  const saveDraft = useStableCallback(async () => (await save())._id);
  return useMemo(() => {
    if (selected === null) return null;
    const { id, tag, start, end, isDraft } = selected;
    return { _id: id, tag, start, end, save: isDraft ? saveDraft : () => Promise.resolve(id) };
  }, [selected, saveDraft]);
}

interface ProjectCommentsProps {
  readonly comments: readonly CommentView[];
  readonly highlight: Highlight | null;
  readonly editor: RegionEditor;
  readonly ref?: Ref<ComposerHandle>;
}

/** The project's comments. A press on a region shows on the wave at once; the comments follow, because there may be hundreds. */
export function ProjectComments({ comments, highlight, editor, ref }: ProjectCommentsProps) {
  const region = useDeferredValue(useSelectedRegion(editor));
  return (
    <Suspense fallback={<SkeletonRows label="Comments" />}>
      <CommentsPanel ref={ref} comments={comments} highlight={highlight} region={region} />
    </Suspense>
  );
}

/** Removed comments and replies are not counted. */
export const countOfComments = (comments: readonly CommentView[]): number => comments.filter((comment) => !comment.removed && !comment.isReply).length;
