import { MoveHorizontal } from 'lucide-react';
import { IconButton } from '../../shared/ui/icon-button';
import type { RegionDesk } from './use-region-desk';

/** Whether one's own regions are moved by dragging them; shown to who may draw. */
export function DragToggle({ desk }: { readonly desk: RegionDesk }) {
  if (!desk.pen) return null;
  return (
    <IconButton
      size="s"
      className="only-l"
      label="Drag regions"
      icon={MoveHorizontal}
      iconSize={18}
      isPressed={desk.dragMode}
      onPress={() => desk.setDragMode(!desk.dragMode)}
    />
  );
}
