import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { memo, type Ref, Suspense, useCallback, useDeferredValue, useMemo, useRef } from 'react';
import type { RegionEditor } from '../../features/regions/use-region-editor';
import { useStableCallback } from '../../shared/hooks/use-stable-callback';
import type { ComposerHandle } from '../../shared/posts/composer';
import type { Highlight } from '../../shared/posts/highlight';
import type { SelectedRegion } from '../../shared/posts/new-post';
import { part } from '../../shared/ui/part';
import { SkeletonRows } from '../../shared/ui/skeleton';

const CommentsPanel = memo(part(async () => ({ default: (await import('../../features/comments/comments-panel')).CommentsPanel })));
const TodosPanel = memo(part(async () => ({ default: (await import('../../features/todos/todos-panel')).TodosPanel })));

function useSelectedRegion({ selected, hidden, save }: RegionEditor): SelectedRegion | null {
  const saveDraft = useStableCallback(async () => (await save())._id);
  const region = selected ?? hidden;
  const isHidden = selected === null;
  return useMemo(() => {
    if (region === null) return null;
    const { id, tag, start, end, isDraft } = region;
    return { _id: id, tag, start, end, isDraft, isHidden, save: isDraft ? saveDraft : () => Promise.resolve(id) };
  }, [region, isHidden, saveDraft]);
}

interface PostsProps {
  readonly highlight: Highlight | null;
  readonly editor: RegionEditor;
  readonly ref?: Ref<ComposerHandle>;
}

/** The project's comments. A press on a region shows on the wave at once; the comments follow, because there may be hundreds. */
export function ProjectComments({ comments, highlight, editor, ref }: PostsProps & { readonly comments: readonly CommentView[] }) {
  const region = useDeferredValue(useSelectedRegion(editor));
  return (
    <Suspense fallback={<SkeletonRows label="Comments" />}>
      <CommentsPanel ref={ref} comments={comments} highlight={highlight} region={region} />
    </Suspense>
  );
}

/** The project's todos; like the comments, they follow the selected region a little later. */
export function ProjectTodos({ todos, highlight, editor, ref }: PostsProps & { readonly todos: readonly TodoView[] }) {
  const region = useDeferredValue(useSelectedRegion(editor));
  return (
    <Suspense fallback={<SkeletonRows label="Todos" />}>
      <TodosPanel ref={ref} todos={todos} highlight={highlight} region={region} />
    </Suspense>
  );
}

/** Removed comments and replies are not counted. */
export const countOfComments = (comments: readonly CommentView[]): number => comments.filter((comment) => !comment.removed && !comment.isReply).length;

export const countOfActiveTodos = (todos: readonly TodoView[]): number => todos.filter(({ completed, isReply }) => !completed && !isReply).length;

/** A box in a tab: `focus` opens the tab and focuses the box as soon as it is there. */
export function useBoxInTab(openTab: () => void) {
  const box = useRef<ComposerHandle | null>(null);
  const pending = useRef<((box: ComposerHandle) => void) | null>(null);
  const ref = useCallback((handle: ComposerHandle | null) => {
    box.current = handle;
    if (handle === null) return;
    pending.current?.(handle);
    pending.current = null;
  }, []);
  const focus = (withTag: boolean) => {
    openTab();
    if (box.current === null) pending.current = (handle) => handle.focus(withTag);
    else box.current.focus(withTag);
  };
  return [ref, focus] as const;
}
