import type { ListedProject } from '@roughmix/contracts/projects/project.view.js';
import { CircleCheck, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../shared/ui/button';
import { useShake } from '../../shared/ui/use-shake';

interface SelectionBarProps {
  readonly selected: readonly ListedProject[];
  readonly hasShared: boolean;
  /** More buttons for the selected projects. */
  readonly actions: ReactNode;
  readonly onCompleted: (completed: boolean) => void;
  readonly onRemove: () => void;
  readonly onDone: () => void;
}

/** Actions for the selected projects. A button shakes if none is selected. */
export function SelectionBar({ selected, hasShared, actions, onCompleted, onRemove, onDone }: SelectionBarProps) {
  const completing = useShake();
  const removing = useShake();
  const isEmpty = selected.length === 0;
  const areCompleted = !isEmpty && selected.every(({ completed }) => completed);
  const complete = areCompleted ? 'Mark as in progress' : 'Mark as completed';
  return (
    <div className="sel" role="toolbar" aria-label="Selection">
      <b aria-live="polite">{selected.length} selected</b>
      {hasShared && <span className="meta only-l">Projects shared with you cannot be selected</span>}
      <span className="grow" />
      {actions}
      <span {...completing.shaken}>
        <Button size="s" icon={CircleCheck} aria-label={complete} onPress={() => (isEmpty ? completing.shake() : onCompleted(!areCompleted))}>
          <span className="only-l">{complete}</span>
        </Button>
      </span>
      <span {...removing.shaken}>
        <Button size="s" variant="danger-quiet" icon={Trash2} aria-label="Remove" onPress={() => (isEmpty ? removing.shake() : onRemove())}>
          <span className="only-l">Remove</span>
        </Button>
      </span>
      <Button size="s" variant="quiet" onPress={onDone}>
        Done
      </Button>
    </div>
  );
}
