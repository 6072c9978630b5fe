import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../shared/ui/button';
import { useShake } from '../../shared/ui/use-shake';

interface SelectionBarProps {
  readonly selected: number;
  readonly hasShared: boolean;
  /** More buttons for the selected projects. */
  readonly actions: ReactNode;
  readonly onRemove: () => void;
  readonly onDone: () => void;
}

/** Actions for the selected projects. The Remove button shakes if none is selected. */
export function SelectionBar({ selected, hasShared, actions, onRemove, onDone }: SelectionBarProps) {
  const { shake, shaken } = useShake();
  return (
    <div className="sel" role="toolbar" aria-label="Selection">
      <b aria-live="polite">{selected} selected</b>
      {hasShared && <span className="meta only-l">Projects shared with you cannot be selected</span>}
      <span className="grow" />
      {actions}
      <span {...shaken}>
        <Button size="s" variant="danger-quiet" icon={Trash2} aria-label="Remove" onPress={() => (selected === 0 ? shake() : onRemove())}>
          <span className="only-l">Remove</span>
        </Button>
      </span>
      <Button size="s" variant="quiet" onPress={onDone}>
        Done
      </Button>
    </div>
  );
}
