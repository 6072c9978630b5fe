import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../shared/ui/button';
import { classNames } from '../../shared/ui/class-names';

interface SelectionBarProps {
  readonly selected: number;
  readonly hasShared: boolean;
  readonly onRemove: () => void;
  readonly onDone: () => void;
}

/** Actions for the selected projects. The Remove button shakes if none is selected. */
export function SelectionBar({ selected, hasShared, onRemove, onDone }: SelectionBarProps) {
  const [shakes, setShakes] = useState(false);
  return (
    <div className="sel" role="toolbar" aria-label="Selection">
      <b aria-live="polite">{selected} selected</b>
      {hasShared && <span className="meta only-l">Projects shared with you cannot be selected</span>}
      <span className="grow" />
      <span className={classNames(shakes && 'shakes')} onAnimationEnd={() => setShakes(false)}>
        <Button size="s" variant="danger-quiet" icon={Trash2} onPress={() => (selected === 0 ? setShakes(true) : onRemove())}>
          Remove
        </Button>
      </span>
      <Button size="s" variant="quiet" onPress={onDone}>
        Done
      </Button>
    </div>
  );
}
