import { type ReactNode, useEffect, useRef } from 'react';
import { Check, Minus } from 'lucide-react';
import './checkbox.css';
import { classNames } from './class-names';
import { Icon } from './icon';
import { useEarlyInput } from './use-early-input';

export interface CheckboxProps {
  /** Shown beside it, or, when hidden, its accessible name. */
  readonly label: ReactNode;
  readonly hidesLabel?: boolean;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  /** Indeterminate: some of the items that it represents are ticked. */
  readonly isPartial?: boolean;
  readonly isDisabled?: boolean;
  readonly className?: string;
}

/** A checkbox with a target larger than its drawing. */
export function Checkbox({ label, hidesLabel, isSelected, onChange, isPartial = false, isDisabled, className }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartial;
  }, [isPartial]);
  useEarlyInput(() => {
    if (box.current !== null && box.current.checked !== isSelected) onChange(box.current.checked);
  });
  return (
    <label className={classNames('check-row', className)}>
      <span className="check">
        <input ref={box} type="checkbox" checked={isSelected} disabled={isDisabled} onChange={(event) => onChange(event.target.checked)} />
        <Icon of={Check} size={12} className="i-on" />
        <Icon of={Minus} size={12} className="i-part" />
      </span>
      <span className={hidesLabel ? 'sr' : undefined}>{label}</span>
    </label>
  );
}
