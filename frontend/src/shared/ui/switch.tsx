import { type ReactNode, useId, useRef } from 'react';
import { classNames } from './class-names';
import './switch.css';
import { useEarlyInput } from './use-early-input';

export interface SwitchProps {
  readonly label: ReactNode;
  readonly hidesLabel?: boolean;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  /** Amber while on: for what changes the sound, such as loudness match. Otherwise it is ink. */
  readonly isSounding?: boolean;
  readonly isDisabled?: boolean;
  /** Under the label. */
  readonly hint?: string;
}

/** On or off. */
export function Switch({ label, hidesLabel, isSelected, onChange, isSounding, isDisabled, hint }: SwitchProps) {
  const hintId = useId();
  const input = useRef<HTMLInputElement>(null);
  useEarlyInput(() => {
    if (input.current !== null && input.current.checked !== isSelected) onChange(input.current.checked);
  });
  const row = (
    <label className="switch-row">
      <input
        ref={input}
        type="checkbox"
        role="switch"
        className={classNames('switch', isSounding && 'sounding')}
        aria-checked={isSelected}
        checked={isSelected}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : hintId}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={hidesLabel ? 'sr' : undefined}>{label}</span>
    </label>
  );
  if (hint === undefined) return row;
  return (
    <div className="switch-with-hint">
      {row}
      <p className="hint" id={hintId}>
        {hint}
      </p>
    </div>
  );
}
