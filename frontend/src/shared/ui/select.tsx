import { type ReactNode, Suspense, useId } from 'react';
import { ChevronDown } from 'lucide-react';
import { buttonClass } from './button-class';
import { classNames } from './class-names';
import { Field } from './field';
import { Icon } from './icon';
import './select.css';
import { part } from './part';
import { loadSelect } from './surfaces';
import { useEver } from './use-ever';
import { OPENED, type Opener, useOpener } from './use-opener';

const SelectSurface = part(loadSelect, OPENED);

export interface SelectOption<Value extends string> {
  readonly id: Value;
  readonly label: string;
  /** Shown in the list and on the button instead of the plain label. */
  readonly content?: ReactNode;
  readonly note?: string;
}

export interface SelectProps<Value extends string> {
  readonly label: string;
  /** Hides the label visually and keeps it for screen readers. */
  readonly hidesLabel?: boolean;
  readonly options: readonly SelectOption<Value>[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly error?: string;
  readonly size?: 's' | 'm' | 'l';
  readonly isDisabled?: boolean;
  readonly className?: string;
}

export interface SelectSurfaceProps {
  readonly opener: Opener;
  readonly label: string;
  readonly options: readonly SelectOption<string>[];
  readonly value: string | undefined;
  readonly onChoose: (id: string) => void;
}

/** One of several options: a button with the current one, opened by press, Space or arrow keys. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, hidesLabel, options, value, onChange, placeholder = 'Choose', hint, error, size, isDisabled, className } = props;
  const opener = useOpener({ kind: 'listbox', load: loadSelect });
  const wanted = useEver(opener.isOpen);
  const ids = { label: useId(), value: useId() };
  const chosen = options.find(({ id }) => id === value);
  const { onPress, ...trigger } = opener.trigger;
  const choose = (id: string) => {
    const option = options.find((one) => one.id === id);
    if (option) onChange(option.id);
  };
  return (
    <Field label={label} hidesLabel={hidesLabel} hint={hint} error={error} labelId={ids.label}>
      {(control) => (
        <>
          <button
            {...trigger}
            type="button"
            id={control.id}
            className={buttonClass({ size, className: classNames('select-btn', className) })}
            disabled={isDisabled}
            onClick={onPress}
            aria-labelledby={`${ids.label} ${ids.value}`}
            aria-describedby={control['aria-describedby']}
          >
            <span className={classNames('cut', !chosen && 'soft')} id={ids.value}>
              {chosen ? (chosen.content ?? chosen.label) : placeholder}
            </span>
            <Icon of={ChevronDown} size={12} />
          </button>
          {wanted && (
            <Suspense fallback={null}>
              <SelectSurface opener={opener} label={label} options={options} value={value} onChoose={choose} />
            </Suspense>
          )}
        </>
      )}
    </Field>
  );
}
