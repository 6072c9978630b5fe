import { type ReactNode, useId } from 'react';
import './segmented.css';

export interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly id: Value; readonly label: ReactNode; readonly count?: number; readonly isDisabled?: boolean }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** Two to five exclusive options, all visible; arrow keys choose. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  const name = useId();
  return (
    <div className="seg" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.id} className={option.id === value ? 'is-on' : undefined}>
          <input type="radio" name={name} value={option.id} checked={option.id === value} disabled={option.isDisabled} onChange={() => onChange(option.id)} />
          {option.label}
          {option.count !== undefined && <span className="meta">{option.count}</span>}
        </label>
      ))}
    </div>
  );
}
