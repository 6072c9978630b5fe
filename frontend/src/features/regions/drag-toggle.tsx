import { MoveHorizontal } from 'lucide-react';
import { IconButton } from '../../shared/ui/icon-button';
import type { RegionEditor } from './use-region-editor';

/** Switches dragging of the user's own regions on and off. Shown to users who may draw. */
export function DragToggle({ editor }: { readonly editor: RegionEditor }) {
  if (!editor.drawHandlers) return null;
  return (
    <IconButton
      size="s"
      label="Drag regions"
      icon={MoveHorizontal}
      iconSize={18}
      isPressed={editor.dragMode}
      onPress={() => editor.setDragMode(!editor.dragMode)}
    />
  );
}
