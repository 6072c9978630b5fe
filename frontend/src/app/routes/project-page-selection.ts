import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { SelectedSpan } from '../../features/player/use-player-keys';
import type { RegionEditor } from '../../features/regions/use-region-editor';
import { createStore, type Store, useStore } from '../../shared/hooks/store';
import { type MarkedPost, type PostRange, rangeOfPost } from '../../shared/posts/post-range';
import type { Destination } from '../../shared/project/project-context';
import type { PageParts } from './project-page-data';

/** The id of a range without a post. */
const LINKED = 'linked-range';
/** Length of the loop that L sets at a post without a region. */
const MOMENT_SECONDS = 4;

export interface PageSelection {
  /** The selected comment or todo. */
  readonly post: Store<Id | null>;
  readonly postId: Id | null;
  /** Selects the post with its region, the region or the range that a destination names in a version. */
  readonly select: (destination: Destination, version: VersionView | null) => void;
  /** The selected range on the wave; null while a region is selected. */
  readonly span: SelectedSpan | null;
  /** For Escape. */
  readonly isEmpty: boolean;
  readonly clear: () => void;
}

type Parts = Pick<PageParts, 'comments' | 'todos' | 'regions'>;

export const postIn = ({ comments, todos }: Pick<Parts, 'comments' | 'todos'>, id: Id | null): MarkedPost | undefined =>
  comments.find(({ _id }) => _id === id) ?? todos.find(({ _id }) => _id === id);

/** The range that a destination names in a version. */
function rangeOf({ at = null, to = null }: Destination, version: VersionView | null): PostRange | null {
  if (at === null || to === null || version === null || at >= version.duration) return null;
  return { versionId: version._id, start: at, end: Math.min(to, version.duration), regionId: null };
}

function spanOn(version: VersionView | null, range: PostRange | null, id: Id): SelectedSpan | null {
  if (range === null || version === null || range.versionId !== version._id) return null;
  const { start, end } = range;
  return { id, start, end: end ?? Math.min(start + MOMENT_SECONDS, version.duration), isMoment: end === null };
}

const isTagged = (post: MarkedPost | undefined, regionId: Id | null): boolean => post?.taggedRegions?.some(({ _id }) => _id === regionId) === true;

/** Ends a post's selection once another region is selected, or its own no longer is. */
function useFollowedRegion(selectedId: Id | null, ownIs: (regionId: Id | null) => boolean, end: () => void): void {
  const before = useRef(selectedId);
  const follow = useEffectEvent(() => {
    if (!ownIs(selectedId)) end();
  });
  useEffect(() => {
    if (before.current === selectedId) return;
    before.current = selectedId;
    follow();
  }, [selectedId]);
}

/** What is selected beside the regions: a post with its range, or the range of a link. */
function useSelected({ comments, todos, regions }: Parts, version: VersionView | null, first: Required<Destination>) {
  const [store] = useState(() => createStore(first.postId));
  const [linked, setLinked] = useState(() => rangeOf(first, version));
  const postId = useStore(store, (id) => id);
  const post = useMemo(() => postIn({ comments, todos }, postId), [comments, todos, postId]);
  const range = useMemo(() => (post === undefined ? linked : rangeOfPost(post, regions)), [post, regions, linked]);
  const span = useMemo(() => spanOn(version, range, postId ?? LINKED), [version, range, postId]);
  const show = (id: Id | null, link: PostRange | null) => {
    store.set(id);
    setLinked(link);
  };
  return { store, postId, post, range, span, show };
}

/** The selected comment or todo: its range is highlighted, Space plays it, L loops it, Escape clears it. */
export function usePageSelection(parts: Parts, editor: RegionEditor, version: VersionView | null, first: Required<Destination>): PageSelection {
  const { select, selected, selectedId, tagging } = editor;
  const { store, postId, post, range, span, show } = useSelected(parts, version, first);
  const end = () => show(null, null);
  useEffect(() => {
    if (first.regionId !== null) select(first.regionId);
  }, [first, select]);
  useFollowedRegion(selectedId, (id) => (id === null ? range === null || range.regionId === null : isTagged(post, id)), end);
  const selectPost = (id: Id, regionId: Id | null) => {
    const next = postIn(parts, id);
    const about = next === undefined ? null : rangeOfPost(next, parts.regions);
    const keepsRegion = about === null || isTagged(next, selectedId);
    const wanted = regionId ?? (keepsRegion ? selectedId : about.regionId);
    // The unsent post keeps its tag.
    if (regionId === null && wanted !== selectedId && tagging.current !== null) return;
    show(id, null);
    select(wanted);
  };
  return {
    post: store,
    postId,
    span: selected === null ? span : null,
    select: (destination, where) => {
      const { regionId = null, commentId = null, todoId = null } = destination;
      const id = destination.postId ?? commentId ?? todoId;
      const link = rangeOf(destination, where);
      if (id !== null) return selectPost(id, regionId);
      if (regionId !== null || link !== null) select(regionId);
      if (link !== null) show(null, link);
    },
    isEmpty: selected === null && postId === null && range === null,
    clear: () => {
      editor.clear();
      end();
    },
  };
}
