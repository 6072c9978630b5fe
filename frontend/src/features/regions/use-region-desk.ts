import { useCallback, useMemo, useRef, useState } from 'react';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import { mayDrawRegion, mayEditRegion } from '@roughmix/contracts/regions/region.access.js';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { GoneView } from '@roughmix/contracts/shared/gone.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { isFiltering, NO_FILTER, passing, type RegionFilter } from './region-filter';
import type { Bounds } from './region-maths';
import { useAddRegion, useEditRegion, useRemoveRegion } from './regions.queries';
import { type Draft, inTimeOrder, type RegionChange, type ShownRegion, shownDraft, shownRegion, TEMP_REGION } from './shown-region';

export interface RegionDeskOptions {
  readonly projectId: Id;
  /** All versions of the project. */
  readonly versions: readonly VersionView[];
  /** The one that is heard. */
  readonly version: VersionView | null;
  readonly viewer: Viewer;
  readonly regions: readonly RegionView[];
  /** The start of the first post tagged with each region. Keep the map the same while nothing changed. */
  readonly said?: ReadonlyMap<Id, string>;
}

/** Told while somebody draws on the wave. */
export interface RegionPen {
  readonly onDraw: (bounds: Bounds) => void;
  readonly onDrawn: (bounds: Bounds) => void;
  readonly onCancel: () => void;
}

export interface RegionDesk {
  /** What stands on the wave, in the order of time, as it is at this moment of a drag. */
  readonly shown: readonly ShownRegion[];
  /** Every saved region, whatever the filter. */
  readonly all: readonly ShownRegion[];
  readonly selected: ShownRegion | null;
  readonly select: (id: Id | null) => void;
  /** null for who may not draw. */
  readonly pen: RegionPen | null;
  /** Makes a draft, or another one of it. */
  readonly setDraft: (bounds: Bounds | null) => void;
  /** Shows bounds while an edge is dragged; null lets go of them. */
  readonly preview: (id: Id, bounds: Bounds | null) => void;
  /** Changes a draft here, a saved region for everybody. */
  readonly change: (region: ShownRegion, changes: RegionChange) => void;
  /** Saves the draft and selects it. @throws what the server said; the draft is then still there */
  readonly save: () => Promise<RegionView | GoneView>;
  readonly isSaving: boolean;
  readonly remove: (id: Id) => void;
  /** Seconds of the version that a region lies in. */
  readonly durationOf: (region: Pick<ShownRegion, 'versionId'>) => number;
  readonly filter: RegionFilter;
  readonly setFilter: (filter: RegionFilter) => void;
  readonly isFiltering: boolean;
  readonly dragMode: boolean;
  readonly setDragMode: (isOn: boolean) => void;
}

interface Preview {
  readonly id: Id;
  readonly bounds: Bounds;
}

/** The drawing that nobody has saved yet. */
function useDraft({ version, viewer }: RegionDeskOptions, select: (id: Id | null) => void) {
  const [draft, put] = useState<Draft | null>(null);
  const versionId = version?._id;
  const setDraft = useCallback(
    (bounds: Bounds | null) => {
      if (!bounds || versionId === undefined) return put(null);
      put((before) => ({
        tag: 'general',
        label: null,
        ...(before?.versionId === versionId && before),
        versionId,
        start: toMillis(bounds.start),
        end: toMillis(bounds.end),
      }));
      select(TEMP_REGION);
    },
    [versionId, select],
  );
  const mayDraw = versionId !== undefined && mayDrawRegion(viewer);
  const pen = useMemo<RegionPen | null>(() => (mayDraw ? { onDraw: setDraft, onDrawn: setDraft, onCancel: () => setDraft(null) } : null), [mayDraw, setDraft]);
  return { draft, put, setDraft, pen };
}

function useShown({ version, viewer, regions, said }: RegionDeskOptions, draft: Draft | null, preview: Preview | null, filter: RegionFilter) {
  const all = useMemo(
    () => regions.map((region) => shownRegion(region, mayEditRegion(viewer, { authorUid: region.user.uid }), said?.get(region._id))),
    [regions, viewer, said],
  );
  const shown = useMemo(() => {
    const at = (region: ShownRegion) => (region.id === preview?.id ? { ...region, ...preview.bounds } : region);
    const drawn = draft ? [...all, shownDraft(draft)] : all;
    return inTimeOrder(passing(drawn, filter, version?._id ?? null).map(at));
  }, [all, draft, preview, filter, version]);
  return { all, shown };
}

interface Saving extends Pick<RegionDesk, 'change' | 'save' | 'isSaving' | 'remove'> {}

/** What goes to the server, and what stays in the draft. */
function useSaving({ projectId }: RegionDeskOptions, { draft, put }: Pick<ReturnType<typeof useDraft>, 'draft' | 'put'>, select: (id: Id) => void): Saving {
  const adding = useAddRegion(projectId);
  const edit = useEditRegion(projectId);
  const removing = useRemoveRegion(projectId);
  /** What was drawn, on its way or saved: whoever sends a comment about it meanwhile gets the same. */
  const brought = useRef<{ readonly draft: Draft; readonly region: Promise<RegionView | GoneView> } | null>(null);
  const bring = async (drawing: Draft): Promise<RegionView | GoneView> => {
    try {
      const region = await adding.mutateAsync(drawing);
      put(null);
      select(region._id);
      return region;
    } catch (error) {
      brought.current = null;
      throw error;
    }
  };
  return {
    change: (region, changes) => {
      if (region.isDraft) put((before) => before && { ...before, ...changes });
      else edit({ id: region.id, changes });
    },
    save: async () => {
      if (!draft) throw new Error('no draft to save');
      if (brought.current?.draft !== draft) brought.current = { draft, region: bring(draft) };
      return brought.current.region;
    },
    isSaving: adding.isPending,
    remove: removing.mutate,
  };
}

/** Everything that can be done with a project's regions: one place for the wave, the strip under it and the page's keys. */
export function useRegionDesk(options: RegionDeskOptions): RegionDesk {
  const [selectedId, select] = useState<Id | null>(null);
  const [filter, setFilter] = useState<RegionFilter>(NO_FILTER);
  const [dragMode, setDragMode] = useState(false);
  const [previewed, setPreview] = useState<Preview | null>(null);
  const drafting = useDraft(options, select);
  const { all, shown } = useShown(options, drafting.draft, previewed, filter);
  const saving = useSaving(options, drafting, select);
  return {
    all,
    shown,
    selected: shown.find(({ id }) => id === selectedId) ?? null,
    select,
    pen: drafting.pen,
    setDraft: drafting.setDraft,
    preview: (id, bounds) => setPreview(bounds && { id, bounds }),
    ...saving,
    durationOf: ({ versionId }) => options.versions.find(({ _id }) => _id === versionId)?.duration ?? 0,
    filter,
    setFilter,
    isFiltering: isFiltering(filter),
    dragMode,
    setDragMode,
  };
}
