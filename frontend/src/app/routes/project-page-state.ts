import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { PlayerStore } from '../../features/player/player-state';
import { usePlayerStore, useReloadOnReconnect } from '../../features/player/use-player';
import { type RegionEditor, useRegionEditor } from '../../features/regions/use-region-editor';
import { useRegionKeys } from '../../features/regions/use-region-keys';
import { useVersionSelection } from '../../features/versions/use-version-selection';
import { regionTitles } from '../../shared/posts/region-titles';
import { isSameMap, useStableValue } from '../../shared/hooks/use-stable-value';
import { useToast } from '../../shared/ui/toast-queue';
import { useStableCallback } from '../../shared/hooks/use-stable-callback';
import type { Destination, Playhead, ProjectContextValue } from '../../shared/project/project-context';
import { destinationOf, goneAt, targetOf } from './project-page-address';
import type { PageParts } from './project-page-data';
import { COMMENTS_TAB, NOTES_TAB, TODOS_TAB } from './project-page-work';

interface PageInput {
  readonly parts: PageParts;
  readonly user: SelfView;
  readonly viewer: Viewer;
}

/** Requests to show something. Their ids count up, so that the same can be requested again, also after `forget`. */
function useRequest<T extends object>(first: T | null) {
  const count = useRef(first === null ? 0 : 1);
  const [request, setRequest] = useState<(T & { readonly requestId: number }) | null>(first && { ...first, requestId: 1 });
  const ask = (what: T) => {
    count.current += 1;
    setRequest({ ...what, requestId: count.current });
  };
  const forget = useCallback(() => setRequest(null), []);
  return [request, ask, forget] as const;
}

const isThere = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

function tabOf({ commentId, todoId, notePlace, tabId }: Destination): string | null {
  if (isThere(commentId)) return COMMENTS_TAB;
  if (isThere(todoId)) return TODOS_TAB;
  return isThere(notePlace) ? NOTES_TAB : (tabId ?? null);
}

function useRegions({ parts, viewer }: PageInput, version: PageParts['versions'][number] | null): RegionEditor {
  const { project, versions, regions, comments, todos } = parts;
  const titles = useStableValue(
    useMemo(() => regionTitles([...comments, ...todos]), [comments, todos]),
    isSameMap,
  );
  return useRegionEditor({ projectId: project._id, versions, version, viewer, regions, titles });
}

/** Seeks once the version that a destination names is in the player. */
function useDelayedSeek(store: PlayerStore, selectedVersion: PageParts['versions'][number] | null, first: number | null) {
  const pending = useRef(first);
  // The player's effects run first and load the version, whose duration limits the seek.
  useEffect(() => {
    if (pending.current === null) return undefined;
    store.seek(pending.current);
    // Cleared later, because strict mode runs effects twice.
    const timer = setTimeout(() => (pending.current = null));
    return () => clearTimeout(timer);
  }, [store, selectedVersion]);
  return (seconds: number) => (pending.current = seconds);
}

/** Follows the address: an in-app link works on the open page too, and again when it is the same link. */
function useAddress(parts: PageParts, goTo: (destination: Destination) => void): void {
  const { key, search } = useLocation();
  const followed = useRef(key);
  const checked = useRef<string | null>(null);
  const toaster = useToast();
  const goToAddress = useEffectEvent(() => goTo(destinationOf(parts, targetOf(new URLSearchParams(search)))));
  const reportGone = useEffectEvent(() => {
    const gone = goneAt(parts, targetOf(new URLSearchParams(search)));
    if (gone !== null) toaster.show({ message: `This ${gone} is no longer there.`, kind: 'warning' });
  });
  useEffect(() => {
    // Strict mode runs effects twice.
    if (checked.current !== key) reportGone();
    checked.current = key;
    if (followed.current === key) return;
    followed.current = key;
    goToAddress();
  }, [key]);
}

function usePlayhead(store: PlayerStore): Playhead {
  return useMemo(
    () => ({
      isPlaying: () => store.getSnapshot().playing,
      position: () => store.getSnapshot().position,
      play: store.play,
      pause: store.pause,
      subscribe: store.subscribe,
    }),
    [store],
  );
}

/** The project as every feature sees it. */
function useContextValue({ parts, user, viewer }: PageInput, store: PlayerStore, goTo: (destination: Destination) => void): ProjectContextValue {
  const { project, versions, regions } = parts;
  const { _id: projectId, owner, addedUsers } = project;
  const members = useMemo(() => [owner, ...(addedUsers ?? [])], [owner, addedUsers]);
  const regionsById = useMemo(() => new Map(regions.map((region) => [region._id, region])), [regions]);
  const playhead = usePlayhead(store);
  return useMemo(
    () => ({ projectId, user, viewer, members, versions, regions: regionsById, playhead, goTo }),
    [projectId, user, viewer, members, versions, regionsById, playhead, goTo],
  );
}

/** The state of a page that shows a project: its player, the selected version, the regions, and where links lead. */
export function useProjectPageState(input: PageInput) {
  const { parts } = input;
  const { search } = useLocation();
  const [first] = useState(() => destinationOf(parts, targetOf(new URLSearchParams(search))));
  const store = usePlayerStore();
  useReloadOnReconnect(store);
  const [selectedVersion, selectVersion] = useVersionSelection(parts.versions, first.versionId);
  const editor = useRegions(input, selectedVersion);
  useRegionKeys(editor, () => store.getSnapshot().position, selectedVersion?.duration ?? 0);
  const firstPost = first.commentId ?? first.todoId;
  const firstTab = tabOf(first);
  const [highlight, highlightPost] = useRequest(firstPost === null ? null : { id: firstPost });
  const [tabRequest, openTab] = useRequest(firstTab === null ? null : { tabId: firstTab });
  const [noteRequest, selectInNote, forgetNoteRequest] = useRequest(first.notePlace);
  const seekLater = useDelayedSeek(store, selectedVersion, first.at);
  const { select } = editor;
  useEffect(() => {
    if (first.regionId !== null) select(first.regionId);
  }, [first, select]);
  const goTo = useStableCallback((destination: Destination) => {
    const { versionId, at, regionId, commentId, todoId, notePlace } = destination;
    const postId = commentId ?? todoId;
    const next = versionId === selectedVersion?._id ? null : (versionId ?? null);
    if (typeof at === 'number') (next === null ? store.seek : seekLater)(at);
    if (next !== null) selectVersion(next);
    if (typeof regionId === 'string') select(regionId);
    if (isThere(postId)) highlightPost({ id: postId });
    if (isThere(notePlace)) selectInNote(notePlace);
    const tabId = tabOf(destination);
    if (tabId !== null) openTab({ tabId });
  });
  useAddress(parts, goTo);
  const context = useContextValue(input, store, goTo);
  return { context, store, selectedVersion, editor, highlight, tabRequest, noteRequest, forgetNoteRequest };
}

export type ProjectPageState = ReturnType<typeof useProjectPageState>;
