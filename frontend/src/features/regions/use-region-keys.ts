import { useKeys } from '../../shared/hooks/use-keys';
import { newAt, resized } from './region-maths';
import type { RegionDesk } from './use-region-desk';

/**
 * The regions' part of the page's keys: `[` and `]` set the beginning and the end at the playhead, of the selected region when it is
 * one's own, else of a new one; Escape clears.
 * @param position asks where the playhead is, in seconds
 */
export function useRegionKeys(desk: RegionDesk, position: () => number, duration: number): void {
  const mark = (edge: 'start' | 'end') => {
    const at = position();
    const { selected } = desk;
    if (selected?.isOwn && (edge === 'start' ? at < selected.end : at > selected.start)) {
      desk.change(selected, resized(selected, edge, at, desk.durationOf(selected)));
      return;
    }
    const bounds = newAt(edge, at, duration);
    if (bounds) desk.setDraft(bounds);
  };
  const clear = () => {
    if (desk.selected?.isDraft) desk.setDraft(null);
    desk.select(null);
  };
  useKeys({
    '[': desk.pen ? () => mark('start') : undefined,
    ']': desk.pen ? () => mark('end') : undefined,
    Escape: desk.selected ? clear : undefined,
  });
}
