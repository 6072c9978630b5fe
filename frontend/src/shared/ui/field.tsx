import { type ReactNode, useId } from 'react';
import { CircleAlert } from 'lucide-react';
import { classNames } from './class-names';
import './field.css';
import { Icon } from './icon';

/** Props that a control gets from its field. */
export interface FieldControl {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

export interface FieldProps {
  readonly label: ReactNode;
  readonly hidesLabel?: boolean | undefined;
  /** At the label's end: a link, a counter. */
  readonly beside?: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
  readonly labelId?: string | undefined;
  readonly children: (control: FieldControl) => ReactNode;
}

/** An error message with its icon. */
export function FieldError({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <p className="error" id={id} role="alert">
      <Icon of={CircleAlert} size={14} />
      {children}
    </p>
  );
}

/** Characters written, of how many; red above the limit. */
export function Counter({ length, max }: { readonly length: number; readonly max: number }) {
  return (
    <span className={classNames('meta num counter', length > max && 'over')}>
      {length}/{max}
    </span>
  );
}

/** Label, control, hint and error, associated for assistive technology. */
export function Field({ label, hidesLabel, beside, hint, error, labelId, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [error !== undefined && errorId, hint !== undefined && hintId].filter(Boolean).join(' ');
  return (
    <div className="field">
      <div className={classNames('field-label', hidesLabel && 'sr')}>
        <label htmlFor={id} id={labelId}>
          {label}
        </label>
        {beside}
      </div>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error === undefined ? undefined : true })}
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
      {hint !== undefined && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}
