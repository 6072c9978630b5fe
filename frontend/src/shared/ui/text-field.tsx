import { type InputHTMLAttributes, type ReactNode, type Ref, useImperativeHandle, useRef } from 'react';
import { classNames } from './class-names';
import { Counter, Field } from './field';
import { useEarlyInput } from './use-early-input';

type NativeInput = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'size' | 'disabled' | 'id' | 'maxLength'>;

export interface TextFieldProps extends NativeInput {
  readonly ref?: Ref<HTMLInputElement>;
  readonly label: ReactNode;
  readonly hidesLabel?: boolean;
  readonly beside?: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Shows a counter; text over the limit is kept, so that the user can shorten it. */
  readonly limit?: number;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
  readonly size?: 'm' | 'l';
  readonly isDisabled?: boolean;
}

/** One line of text. */
export function TextField({
  ref,
  label,
  hidesLabel,
  beside,
  value,
  onChange,
  limit,
  hint,
  error,
  size = 'm',
  isDisabled,
  className,
  'aria-describedby': describedBy,
  ...rest
}: TextFieldProps) {
  const input = useRef<HTMLInputElement | null>(null);
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => input.current, []);
  useEarlyInput(() => {
    if (input.current !== null && input.current.value !== value) onChange(input.current.value);
  });
  const counter = limit === undefined ? beside : <Counter length={value.length} max={limit} />;
  return (
    <Field label={label} hidesLabel={hidesLabel} beside={counter} hint={hint} error={error}>
      {(control) => (
        <input
          type="text"
          {...control}
          {...rest}
          ref={input}
          id={control.id}
          aria-describedby={classNames(control['aria-describedby'], describedBy) || undefined}
          className={classNames('input', size === 'l' && 'l', className)}
          value={value}
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
