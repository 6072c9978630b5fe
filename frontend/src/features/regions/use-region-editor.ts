import { useMemo, useState } from 'react';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import { mayDrawRegion, mayEditRegion } from '@roughmix/contracts/regions/region.access.js';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { GoneView } from '@roughmix/contracts/shared/gone.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import type { RegionTagging, Tagging } from '../../shared/posts/region-tagging';
import { isFiltering, NO_FILTER, filterRegions, type RegionFilter } from './region-filter';
import type { Bounds } from './region-maths';
import { inTimeOrder, type RegionChange, type RegionDraft, type ShownRegion, shownDraft, shownRegion, TEMP_REGION } from './shown-region';
import { type DrawHandlers, useDraft, useSaving } from './use-region-draft';
import { useTagging } from './use-tagging';

export interface RegionEditorOptions {
  readonly projectId: Id;
  /** All versions of the project. */
  readonly versions: readonly VersionView[];
  /** The selected version. */
  readonly version: VersionView | null;
  readonly viewer: Viewer;
  readonly regions: readonly RegionView[];
  /** Titles for regions without a label, such as the start of the first comment on each. Keep the map the same while nothing changes. */
  readonly titles?: ReadonlyMap<Id, string>;
}

export interface RegionEditor {
  /** The regions on the wave in order of time, with the current bounds of one that is dragged. */
  readonly shown: readonly ShownRegion[];
  /** Every saved region, regardless of the filter. */
  readonly all: readonly ShownRegion[];
  readonly selected: ShownRegion | null;
  /** Identifies what is rendered for a region: a drawing keeps it when it is saved, so that a drag or a label that is being typed goes on. */
  readonly keyOf: (id: Id) => string;
  readonly select: (id: Id | null) => void;
  /** The selected region while the filter hides it or another version is open. */
  readonly hidden: ShownRegion | null;
  /** The id of the selected region, also while the filter hides it or another version is open. */
  readonly selectedId: Id | null;
  /** Ends the selection, and discards the draft if that is selected. */
  readonly clear: () => void;
  /** null for users who may not draw. */
  readonly drawHandlers: DrawHandlers | null;
  /** Starts a draft, or changes the bounds of the current one; null discards it. */
  readonly setDraft: (bounds: Bounds | null) => void;
  /** Shows bounds during a drag; null ends that. */
  readonly preview: (id: Id, bounds: Bounds | null) => void;
  /** Changes the draft locally, the tag of a post that is being written, or a saved region on the server. */
  readonly change: (region: ShownRegion, changes: RegionChange) => void;
  /** Saves the draft and selects it. @throws the server's refusal; the draft is then kept */
  readonly save: () => Promise<RegionView | GoneView>;
  readonly isSaving: boolean;
  readonly remove: (id: Id) => void;
  /** The region that a post is being tagged with. */
  readonly tagging: RegionTagging;
  /** Seconds of the version that a region lies in. */
  readonly durationOf: (region: Pick<ShownRegion, 'versionId'>) => number;
  readonly filter: RegionFilter;
  readonly setFilter: (filter: RegionFilter) => void;
  readonly isFiltering: boolean;
  /** How many saved regions another filter would show. */
  readonly countOf: (filter: RegionFilter) => number;
  readonly dragMode: boolean;
  readonly setDragMode: (isOn: boolean) => void;
}

interface Preview {
  readonly id: Id;
  readonly bounds: Bounds;
}

interface ShownState {
  readonly draft: RegionDraft | null;
  readonly tagging: Tagging | null;
  readonly preview: Preview | null;
  readonly filter: RegionFilter;
}

function useShown({ version, viewer, regions, titles }: RegionEditorOptions, { draft, tagging, preview, filter }: ShownState) {
  const all = useMemo(
    () => regions.map((region) => shownRegion(region, mayEditRegion(viewer, { authorUid: region.user.uid }), titles?.get(region._id))),
    [regions, viewer, titles],
  );
  const drawn = useMemo(() => (draft ? [...all, shownDraft(draft)] : all), [all, draft]);
  const shown = useMemo(() => {
    const at = (region: ShownRegion) => (region.id === preview?.id ? { ...region, ...preview.bounds } : region);
    const asTagged = (region: ShownRegion) =>
      region.id === tagging?.regionId && !region.isDraft ? { ...region, ...tagging.change, isAdjustable: mayDrawRegion(viewer), isBeingTagged: true } : region;
    return inTimeOrder(
      filterRegions(drawn, filter, version?._id ?? null)
        .map(asTagged)
        .map(at),
    );
  }, [drawn, tagging, preview, filter, version, viewer]);
  return { all, drawn, shown };
}

function selectionIn(
  { drawn, shown }: Pick<ReturnType<typeof useShown>, 'drawn' | 'shown'>,
  selectedId: Id | null,
  select: RegionEditor['select'],
  setDraft: RegionEditor['setDraft'],
): Pick<RegionEditor, 'selected' | 'hidden' | 'selectedId' | 'select' | 'clear'> {
  const selected = shown.find(({ id }) => id === selectedId) ?? null;
  const hidden = selected === null ? (drawn.find(({ id }) => id === selectedId) ?? null) : null;
  const clear = () => {
    if (selected?.isDraft) setDraft(null);
    select(null);
  };
  return { selected, hidden, selectedId, select, clear };
}

/** State and actions of a project's regions, shared by the wave, the panel below it and the shortcuts. */
export function useRegionEditor(options: RegionEditorOptions): RegionEditor {
  const [chosenId, select] = useState<Id | null>(null);
  const [filter, setFilter] = useState<RegionFilter>(NO_FILTER);
  const [dragMode, setDragMode] = useState(false);
  const [previewed, setPreview] = useState<Preview | null>(null);
  const drafting = useDraft(options, select);
  const { drawing, draft } = drafting;
  // The draft stays selected when it is saved.
  const selectedId = chosenId === TEMP_REGION && draft === null ? (drawing?.savedAs ?? null) : chosenId;
  const { tagging, change: changeTag } = useTagging();
  const { all, drawn, shown } = useShown(options, { draft, tagging: tagging.current, preview: previewed, filter });
  const saving = useSaving(options.projectId, drafting, select);
  const change = (region: ShownRegion, { label, ...span }: RegionChange) => {
    const saved = region.isBeingTagged ? options.regions.find(({ _id }) => _id === region.id) : undefined;
    if (saved === undefined) return saving.change(region, { ...span, ...(label === undefined ? {} : { label }) });
    if (label !== undefined) saving.change(region, { label });
    return changeTag(saved, span);
  };
  return {
    all,
    shown,
    keyOf: (id) => (drawing !== null && (id === TEMP_REGION || id === drawing.savedAs) ? `drawing-${drawing.key}` : id),
    ...selectionIn({ drawn, shown }, selectedId, select, drafting.setDraft),
    drawHandlers: drafting.drawHandlers,
    setDraft: drafting.setDraft,
    preview: (id, bounds) => setPreview(bounds && { id, bounds }),
    ...saving,
    change,
    tagging,
    durationOf: ({ versionId }) => options.versions.find(({ _id }) => _id === versionId)?.duration ?? 0,
    filter,
    setFilter,
    isFiltering: isFiltering(filter),
    countOf: (other) => filterRegions(all, other, options.version?._id ?? null).length,
    dragMode,
    setDragMode,
  };
}
