import { type Dispatch, type SetStateAction, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { mayDrawRegion } from '@roughmix/contracts/regions/region.access.js';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { GoneView } from '@roughmix/contracts/shared/gone.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import type { Bounds } from './region-maths';
import { useAddRegion, useEditRegion, useIsRegionInList, useRemoveRegion } from './regions.queries';
import { type RegionChange, type RegionDraft, type ShownRegion, TEMP_REGION } from './shown-region';

/** Called while the user draws on the wave. */
export interface DrawHandlers {
  readonly onDraw: (bounds: Bounds) => void;
  readonly onDrawn: (bounds: Bounds) => void;
  readonly onCancel: () => void;
}

/** A drawn region. It stays the draft until the list has the saved region. */
interface Drawing {
  /** Tells it from other drawings, also those that follow while it is saved. */
  readonly key: number;
  readonly content: RegionDraft;
  /** The saved region. */
  readonly savedAs: Id | null;
  /** The list had the saved region, so the draft is no longer shown. */
  readonly isListed: boolean;
}

/** A drawing's save, pending or done: a comment sent in the meantime must not save it again. */
interface Save {
  readonly key: number;
  readonly region: Promise<RegionView | GoneView>;
}

interface DraftOptions {
  readonly version: VersionView | null;
  readonly viewer: Viewer;
  readonly regions: readonly RegionView[];
}

type Select = Dispatch<SetStateAction<Id | null>>;

/** The draft: a region that is drawn but not saved. */
export function useDraft({ version, viewer, regions }: DraftOptions, select: Select) {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const saving = useRef<Save | null>(null);
  const drawn = useRef(0);
  const versionId = version?._id;
  const setDraft = useCallback(
    (bounds: Bounds | null) => {
      if (!bounds || versionId === undefined) return setDrawing(null);
      const { current } = saving;
      const key = (drawn.current += 1);
      const span = { versionId, start: toMillis(bounds.start), end: toMillis(bounds.end) };
      setDrawing((before) => {
        const isChanged = before?.content.versionId === versionId && before.key !== current?.key;
        if (isChanged) return { ...before, content: { ...before.content, ...span } };
        return { key, content: { tag: 'general', label: null, ...span }, savedAs: null, isListed: false };
      });
      select(TEMP_REGION);
    },
    [versionId, select],
  );
  const mayDraw = versionId !== undefined && mayDrawRegion(viewer);
  const drawHandlers = useMemo<DrawHandlers | null>(
    () => (mayDraw ? { onDraw: setDraft, onDrawn: setDraft, onCancel: () => setDraft(null) } : null),
    [mayDraw, setDraft],
  );
  const isListed = drawing !== null && regions.some(({ _id }) => _id === drawing.savedAs);
  if (isListed && !drawing.isListed) setDrawing({ ...drawing, isListed });
  const draft = drawing === null || isListed || drawing.isListed ? null : drawing.content;
  return { drawing, draft, setDrawing, saving, setDraft, drawHandlers };
}

const CONTENT = ['start', 'end', 'tag', 'label'] as const;

/** What was changed of a drawing since it was sent. */
const changesSince = (sent: RegionDraft, now: RegionDraft): RegionChange =>
  Object.fromEntries(CONTENT.flatMap((field) => (now[field] === sent[field] ? [] : [[field, now[field]]])));

/** Puts a saved region in the draft's place, with what was changed in the meantime. Another drawing, or none, stays. */
function useReplaceDraft(projectId: Id, { drawing, setDrawing }: ReturnType<typeof useDraft>, select: Select) {
  const edit = useEditRegion(projectId);
  const isInList = useIsRegionInList(projectId);
  const latest = useRef(drawing);
  useLayoutEffect(() => {
    latest.current = drawing;
  });
  return ({ key, content }: Drawing, { _id }: RegionView | GoneView) => {
    const { current } = latest;
    if (current?.key !== key) return;
    const changes = changesSince(content, current.content);
    if (isInList(_id)) {
      setDrawing((now) => (now?.key === key ? { ...now, savedAs: _id } : now));
      if (Object.keys(changes).length > 0) edit({ id: _id, changes });
    } else {
      setDrawing((now) => (now?.key === key ? null : now));
      select((now) => (now === TEMP_REGION ? _id : now));
    }
  };
}

/** Commands to the server, and changes of the draft. */
export function useSaving(projectId: Id, drafting: ReturnType<typeof useDraft>, select: Select) {
  const { drawing, draft, setDrawing, saving } = drafting;
  const adding = useAddRegion(projectId);
  const edit = useEditRegion(projectId);
  const remove = useRemoveRegion(projectId);
  const replaceDraft = useReplaceDraft(projectId, drafting, select);
  const saveDrawing = async (sent: Drawing): Promise<RegionView | GoneView> => {
    try {
      const region = await adding.mutateAsync(sent.content);
      replaceDraft(sent, region);
      return region;
    } catch (error) {
      if (saving.current?.key === sent.key) saving.current = null;
      throw error;
    }
  };
  return {
    change: (region: ShownRegion, changes: RegionChange) => {
      const savedAs = drawing?.savedAs ?? null;
      if (!region.isDraft) edit({ id: region.id, changes });
      else if (savedAs !== null) edit({ id: savedAs, changes });
      else setDrawing((before) => before && { ...before, content: { ...before.content, ...changes } });
    },
    save: async (): Promise<RegionView | GoneView> => {
      if (!drawing || !draft) throw new Error('no draft to save');
      if (saving.current?.key !== drawing.key) saving.current = { key: drawing.key, region: saveDrawing(drawing) };
      return saving.current.region;
    },
    isSaving: adding.isPending,
    remove: (id: Id) => {
      select(null);
      remove(id, () => select(id));
    },
  };
}
