import type { Shortcut } from '../../shared/shortcuts/shortcut-registry';
import { useShortcuts } from '../../shared/shortcuts/use-shortcuts';
import { newAt, resized } from './region-maths';
import type { RegionDesk } from './use-region-desk';

/**
 * The regions' shortcuts: `[` and `]` set the start and the end at the playhead, of the selected region when it is the user's own,
 * else of a new one; Escape clears the selection.
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
  const marks: readonly Shortcut[] = [
    { keys: ['['], label: 'Start the region at the playhead', run: () => mark('start') },
    { keys: [']'], label: 'End the region at the playhead', run: () => mark('end') },
  ];
  useShortcuts([...(desk.pen ? marks : []), { keys: ['Escape'], label: 'Clear the selection', run: clear, isEnabled: desk.selected !== null }]);
}
