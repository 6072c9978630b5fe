import type { Shortcut } from '../../shared/shortcuts/shortcut-registry';
import { useShortcuts } from '../../shared/shortcuts/use-shortcuts';
import { newAt, resized } from './region-maths';
import type { RegionEditor } from './use-region-editor';

/**
 * The shortcuts of regions: `[` and `]` set the start and the end at the playhead, of the selected region when the user may adjust it,
 * otherwise of a new one. Escape clears the selection.
 * @param position returns the playhead's position in seconds
 */
export function useRegionKeys(editor: RegionEditor, position: () => number, duration: number): void {
  const mark = (edge: 'start' | 'end') => {
    const at = position();
    const { selected } = editor;
    if (selected?.isAdjustable && (edge === 'start' ? at < selected.end : at > selected.start)) {
      editor.change(selected, resized(selected, edge, at, editor.durationOf(selected)));
      return;
    }
    const bounds = newAt(edge, at, duration);
    if (bounds) editor.setDraft(bounds);
  };
  const clear = () => {
    if (editor.selected?.isDraft) editor.setDraft(null);
    editor.select(null);
  };
  const marks: readonly Shortcut[] = [
    { keys: ['['], label: 'Start the region at the playhead', run: () => mark('start') },
    { keys: [']'], label: 'End the region at the playhead', run: () => mark('end') },
  ];
  useShortcuts([...(editor.drawHandlers ? marks : []), { keys: ['Escape'], label: 'Clear the selection', run: clear, isEnabled: editor.selected !== null }]);
}
