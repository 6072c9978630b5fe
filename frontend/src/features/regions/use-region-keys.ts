import type { Shortcut } from '../../shared/shortcuts/shortcut-registry';
import { useShortcuts } from '../../shared/shortcuts/use-shortcuts';
import { newAt, resized } from './region-maths';
import type { RegionEditor } from './use-region-editor';

interface Selection {
  readonly isEmpty: boolean;
  readonly clear: () => void;
}

const selectionOf = ({ selected, clear }: RegionEditor): Selection => ({ isEmpty: selected === null, clear });

/**
 * The shortcuts of regions: `[` and `]` set the start and the end at the playhead, of the selected region when the user may adjust it,
 * otherwise of a new one. Escape clears the selection.
 * @param position returns the playhead's position in seconds
 * @param selection what Escape clears: by default the selected region
 */
export function useRegionKeys(editor: RegionEditor, position: () => number, duration: number, selection = selectionOf(editor)): void {
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
  const marks: readonly Shortcut[] = [
    { keys: ['['], label: 'Start the region at the playhead', run: () => mark('start') },
    { keys: [']'], label: 'End the region at the playhead', run: () => mark('end') },
  ];
  const { isEmpty, clear } = selection;
  useShortcuts([...(editor.drawHandlers ? marks : []), { keys: ['Escape'], label: 'Clear the selection', run: clear, isEnabled: !isEmpty }]);
}
