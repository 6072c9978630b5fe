import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { PlayerStore } from '../../features/player/player-state';
import { useProjectPlayer, usePlayerStore } from '../../features/player/player-provider';
import { resumePlayback } from '../../features/player/resume-playback';
import { trackOf } from '../../features/player/track';
import { usePlayer } from '../../features/player/use-player';
import { type RegionEditor, useRegionEditor } from '../../features/regions/use-region-editor';
import { useRegionKeys } from '../../features/regions/use-region-keys';
import { useVersionSelection } from '../../features/versions/use-version-selection';
import { regionTitles } from '@roughmix/contracts/regions/region-titles.js';
import { isSameMap, useStableValue } from '../../shared/hooks/use-stable-value';
import { useToast } from '../../shared/ui/toast-queue';
import { useStableCallback } from '../../shared/hooks/use-stable-callback';
import type { Destination, Playhead, ProjectContextValue } from '../../shared/project/project-context';
import { destinationOf, goneAt, isMissing, targetOf } from './project-page-address';
import type { PageParts, PageQuery } from './project-page-data';
import { usePageSelection } from './project-page-selection';
import { COMMENTS_TAB, NOTES_TAB, TODOS_TAB } from './project-page-work';

interface PageInput {
  readonly parts: PageParts;
  readonly page: PageQuery;
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

/**
 * Follows the address: an in-app link works on the open page too, and again when it is the same link. A cached page may not have the target yet, which
 * is gone only if the server does not have it either.
 */
function useAddress({ parts, page }: PageInput, goTo: (destination: Destination) => void): void {
  const { key, search } = useLocation();
  const [first] = useState(key);
  const seen = useRef<string | null>(null);
  const awaited = useRef<{ readonly key: string; readonly since: number } | null>(null);
  const toaster = useToast();
  const target = useMemo(() => targetOf(new URLSearchParams(search)), [search]);
  const isAwaited = isMissing(parts, target);
  const updatedAt = page.dataUpdatedAt;
  const go = useEffectEvent(() => goTo(destinationOf(parts, target)));
  const reportGone = useEffectEvent(() => {
    const gone = goneAt(parts, target);
    if (gone !== null) toaster.show({ message: `This ${gone} is no longer there.`, kind: 'warning' });
  });
  const begin = useEffectEvent(async () => {
    // The page opened at the first address.
    if (key !== first) go();
    if (!isAwaited) return undefined;
    if (key === first && page.isFetchedAfterMount) return reportGone();
    const request = { key, since: updatedAt };
    awaited.current = request;
    const { isSuccess } = await page.refetch({ cancelRefetch: false });
    // If the server did not answer, the page says so instead.
    if (!isSuccess && awaited.current === request) awaited.current = null;
    return undefined;
  });
  useEffect(() => {
    // Strict mode runs effects twice.
    if (seen.current === key) return;
    seen.current = key;
    void begin();
  }, [key]);
  useEffect(() => {
    if (awaited.current?.key !== key || (isAwaited && updatedAt === awaited.current.since)) return;
    awaited.current = null;
    if (isAwaited) reportGone();
    else go();
  }, [isAwaited, updatedAt, key]);
}

/**
 * A project that is already playing opens with the version that plays, unless the address names one. Later the page follows the player, where the
 * system's keys choose versions too.
 */
function useSelectedOrPlayedVersion({ project, versions }: PageParts, named: string | null) {
  const played = usePlayer(usePlayerStore(), ({ projectId, versionId }) => (projectId === project._id ? versionId : null));
  const [first] = useState(played);
  const followed = useRef(played);
  const [selectedVersion, selectVersion] = useVersionSelection(versions, named ?? first);
  useEffect(() => {
    if (played !== null && played !== followed.current) selectVersion(played);
    followed.current = played;
  }, [played, selectVersion]);
  return [selectedVersion, selectVersion] as const;
}

function usePlayhead(store: PlayerStore): Playhead {
  return useMemo(
    () => ({
      versionId: () => store.getSnapshot().versionId,
      isPlaying: () => store.getSnapshot().playing,
      position: () => store.getSnapshot().position,
      resume: () => resumePlayback(store),
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
  const store = useProjectPlayer(parts.project._id);
  const [selectedVersion, selectVersion] = useSelectedOrPlayedVersion(parts, first.versionId);
  const editor = useRegions(input, selectedVersion);
  const selection = usePageSelection(parts, editor, selectedVersion, first);
  useRegionKeys(editor, () => store.getSnapshot().position, selectedVersion?.duration ?? 0, selection);
  const firstTab = tabOf(first);
  const [highlight, highlightPost] = useRequest(first.postId === null ? null : { id: first.postId });
  const [tabRequest, openTab] = useRequest(firstTab === null ? null : { tabId: firstTab });
  const [noteRequest, selectInNote, forgetNoteRequest] = useRequest(first.notePlace);
  // The player's effects run first and load the version, whose duration limits the seek.
  useEffect(() => {
    if (first.at !== null) store.seek(first.at);
  }, [store, first]);
  const goTo = useStableCallback((destination: Destination) => {
    const { versionId, at, commentId, todoId, notePlace } = destination;
    const shownId = commentId ?? todoId;
    const next = parts.versions.find(({ _id }) => _id === versionId) ?? selectedVersion;
    // Directly, without waiting for React, so that a switch is audible at once.
    store.load(trackOf(next), { at: at ?? null });
    if (isThere(versionId)) selectVersion(versionId);
    selection.select(destination, next);
    if (isThere(shownId)) highlightPost({ id: shownId });
    if (isThere(notePlace)) selectInNote(notePlace);
    const tabId = tabOf(destination);
    if (tabId !== null) openTab({ tabId });
  });
  useAddress(input, goTo);
  const context = useContextValue(input, store, goTo);
  return { context, store, selectedVersion, editor, selection, highlight, tabRequest, noteRequest, forgetNoteRequest };
}

export type ProjectPageState = ReturnType<typeof useProjectPageState>;
