import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { SpanChange } from '@roughmix/contracts/shared/marks.js';
import { useMemo, useState } from 'react';
import type { RegionTagging, Tagging } from '../../shared/posts/region-tagging';

const FIELDS = ['start', 'end', 'tag'] as const;

/** The fields in which a wanted span differs from the saved one. */
export const differences = (saved: Required<SpanChange>, wanted: SpanChange): SpanChange =>
  Object.fromEntries(FIELDS.flatMap((field) => (wanted[field] === undefined || wanted[field] === saved[field] ? [] : [[field, wanted[field]]])));

/** The regions that posts are being tagged with, the newest last: a box that ends returns to the one before it. */
export function useTagging() {
  const [open, setOpen] = useState<readonly Tagging[]>([]);
  const current = open.at(-1) ?? null;
  const changeLast = (changed: (last: Tagging) => SpanChange) =>
    setOpen((before) => before.map((one, at) => (at === before.length - 1 ? { ...one, change: changed(one) } : one)));
  const change = (saved: RegionView, changes: SpanChange) => changeLast((last) => differences(saved, { ...last.change, ...changes }));
  const [actions] = useState(() => ({
    begin: (boxId: string, regionId: string) => setOpen((before) => [...before.filter((one) => one.boxId !== boxId), { boxId, regionId, change: {} }]),
    end: (boxId: string) => setOpen((before) => before.filter((one) => one.boxId !== boxId)),
    revert: () => changeLast(() => ({})),
  }));
  const tagging = useMemo<RegionTagging>(() => ({ ...actions, current }), [actions, current]);
  return { tagging, change };
}
