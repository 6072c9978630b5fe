import { type ReactNode, type Ref, type TextareaHTMLAttributes, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names';
import { Counter, Field } from './field';
import { useEarlyInput } from './use-early-input';

type NativeArea = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value' | 'disabled' | 'id' | 'maxLength'>;

export interface TextAreaProps extends NativeArea {
  readonly ref?: Ref<HTMLTextAreaElement>;
  readonly label: ReactNode;
  readonly hidesLabel?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly limit?: number;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
  readonly isDisabled?: boolean;
}

const growsByItself = () => typeof CSS !== 'undefined' && CSS.supports?.('field-sizing', 'content');

/** Several lines of text; the box grows with what is written, up to 40 % of the window. */
export function TextArea({
  ref,
  label,
  hidesLabel,
  value,
  onChange,
  limit,
  hint,
  error,
  isDisabled,
  className,
  rows = 1,
  'aria-describedby': describedBy,
  ...rest
}: TextAreaProps) {
  const area = useRef<HTMLTextAreaElement | null>(null);
  useImperativeHandle<HTMLTextAreaElement | null, HTMLTextAreaElement | null>(ref, () => area.current, []);
  useEarlyInput(() => {
    if (area.current !== null && area.current.value !== value) onChange(area.current.value);
  });
  useLayoutEffect(() => {
    const element = area.current;
    if (!element || growsByItself()) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight + element.offsetHeight - element.clientHeight}px`;
  });
  return (
    <Field label={label} hidesLabel={hidesLabel} hint={hint} error={error} beside={limit !== undefined && <Counter length={value.length} max={limit} />}>
      {(control) => (
        <textarea
          {...control}
          {...rest}
          id={control.id}
          aria-describedby={classNames(control['aria-describedby'], describedBy) || undefined}
          ref={area}
          rows={rows}
          className={classNames('input', className)}
          value={value}
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
