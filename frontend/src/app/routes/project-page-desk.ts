import type { Stamp } from '@roughmix/contracts/comments/comment.events.js';
import type { TaggedRegionView } from '@roughmix/contracts/comments/comment.view.js';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Lit } from '../../features/comments/comment-thread';
import { firstWords } from '../../features/comments/comment-words';
import { usePlayerStore, useSoundAgain } from '../../features/player/use-player';
import { useRegionEditor } from '../../features/regions/use-region-editor';
import { useRegionKeys } from '../../features/regions/use-region-keys';
import { useHeardVersion } from '../../features/versions/use-heard-version';
import { isSameMap, useKept } from '../../shared/hooks/use-kept';
import type { Target } from './project-page-address';
import type { PageParts } from './project-page-data';

/** Counts up, so that the page can lead to the same comment again. */
function useLit(first: Id | null) {
  const [lit, setLit] = useState<Lit | null>(first === null ? null : { id: first, nth: 1 });
  return { lit, light: (id: Id) => setLit((before) => ({ id, nth: (before?.nth ?? 0) + 1 })) };
}

/** Where the address leads at first. A region or a comment says its version and moment by itself. */
function firstPlace({ regions, comments }: PageParts, target: Target): { readonly version: string | null; readonly at: number | null } {
  const region = regions.find(({ _id }) => _id === target.region);
  if (region) return { version: region.versionId, at: target.at ?? region.start };
  const comment = comments.find(({ _id }) => _id === target.comment);
  const stamp = comment && !comment.removed ? comment.stamp : null;
  return { version: target.version ?? stamp?.versionId ?? null, at: target.at ?? stamp?.at ?? null };
}

/** What the player, the regions, the versions and the comments of one page share. */
export function useProjectDesk(parts: PageParts, viewer: Viewer, target: Target) {
  const { project, versions, regions, comments } = parts;
  const [first] = useState(() => firstPlace(parts, target));
  const store = usePlayerStore();
  useSoundAgain(store);
  const [heard, hear] = useHeardVersion(versions, first.version);
  const said = useKept(
    useMemo(() => firstWords(comments), [comments]),
    isSameMap,
  );
  const editor = useRegionEditor({ projectId: project._id, versions, version: heard, viewer, regions, titles: said });
  const { lit, light } = useLit(target.comment);
  useRegionKeys(editor, () => store.getSnapshot().position, heard?.duration ?? 0);

  // The player's own effects come first and give it the version, whose length bounds where it can seek to.
  const waiting = useRef<number | null>(first.at);
  useEffect(() => {
    if (waiting.current === null) return undefined;
    store.seek(waiting.current);
    // Not before the next turn: while the page is developed, effects run, are undone and run again.
    const timer = setTimeout(() => (waiting.current = null));
    return () => clearTimeout(timer);
  }, [store, heard]);
  const { select } = editor;
  useEffect(() => {
    if (target.region !== null) select(target.region);
  }, [target.region, select]);

  const goTo = ({ versionId, at }: Stamp) => {
    if (versionId === heard?._id) return store.seek(at);
    waiting.current = at;
    return hear(versionId);
  };
  const openRegion = ({ _id, start }: TaggedRegionView) => {
    const region = regions.find((one) => one._id === _id);
    if (region) goTo({ versionId: region.versionId, at: start });
    select(_id);
  };
  return { store, heard, hear, editor, lit, light, goTo, openRegion };
}

export type ProjectDesk = ReturnType<typeof useProjectDesk>;
