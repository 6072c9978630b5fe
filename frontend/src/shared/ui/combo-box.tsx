import { type ComponentPropsWithRef, type KeyboardEvent, type ReactNode, type Ref, useId, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Input, Label, TextField } from 'react-aria-components/TextField';
import { classNames } from './class-names';
import styles from './combo-box.module.css';
import './field.css';
import { FieldError } from './field';

/** The key code of a key that an input method handles; in Safari, of the Enter that ends a composition too. */
const TAKEN_BY_INPUT_METHOD = 229;

export interface ComboBoxOption {
  readonly id: string;
  /** Its name for assistive technology. */
  readonly label: string;
  readonly content: ReactNode;
}

export interface ComboBoxProps {
  readonly label: string;
  readonly listLabel: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly isDisabled?: boolean;
  readonly error?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly options: readonly ComboBoxOption[];
  /** True while the options belong to the text; Enter picks no option of an earlier text. */
  readonly isCurrent: boolean;
  /** Stands in for the list while there are no options. */
  readonly emptyNote: ReactNode;
  readonly onPick: (id: string) => void;
  /** Shows the options also while nothing is typed; none of them is active until an arrow key is pressed. */
  readonly offersAtOnce?: boolean;
  /** For long lists: uses most of the window's height. */
  readonly isTall?: boolean;
}

type OptionsProps = Pick<ComboBoxProps, 'options' | 'isCurrent' | 'listLabel' | 'onPick'> & { readonly isTyped: boolean };

/** The text that the shown options belong to. While it stays the same, so does the active option. */
function useAnswered(text: string, isCurrent: boolean): string {
  const [answered, setAnswered] = useState(text);
  if (isCurrent && answered !== text) setAnswered(text);
  return answered;
}

function Options({ options, isCurrent, listLabel, onPick, isTyped }: OptionsProps) {
  // Its focus is virtual: autoFocus marks the first option, while the field keeps the real focus.
  return (
    <ListBox aria-label={listLabel} className={styles.options} autoFocus={isTyped ? 'first' : false} shouldFocusWrap onAction={(id) => onPick(String(id))}>
      {options.map((option) => (
        <ListBoxItem
          key={option.id}
          id={option.id}
          textValue={option.label}
          className={styles.option}
          // No option stays selected, so react-aria marks none. Combo boxes mark the active option as selected.
          render={(props, { isFocused }) => <div {...(props as ComponentPropsWithRef<'div'>)} aria-selected={isCurrent && isFocused} />}
        >
          {option.content}
        </ListBoxItem>
      ))}
    </ListBox>
  );
}

/** A field that offers options below it, in the page. Arrows move, Enter picks, Escape clears the text before it leaves a dialog. */
export function ComboBox({
  label,
  placeholder,
  maxLength,
  isDisabled = false,
  error,
  ref,
  text,
  onText,
  emptyNote,
  offersAtOnce = false,
  isTall,
  ...list
}: ComboBoxProps) {
  const errorId = useId();
  const answered = useAnswered(text.trim(), list.isCurrent);
  const isTyped = text.trim() !== '';
  const isOpen = isTyped || (offersAtOnce && list.options.length > 0);
  const onKeyDownCapture = (event: KeyboardEvent) => {
    // oxlint-disable-next-line typescript/no-deprecated -- Safari reports it in no other way
    if (event.nativeEvent.isComposing || event.keyCode === TAKEN_BY_INPUT_METHOD) event.stopPropagation();
    else if (isTyped && event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onText('');
    } else if (isOpen && event.key === 'Enter') {
      // Never submits the form around it while it offers something.
      event.preventDefault();
      if (!list.isCurrent) event.stopPropagation();
    }
  };
  return (
    <div className={styles.combo} onKeyDownCapture={onKeyDownCapture}>
      <Autocomplete inputValue={text} onInputChange={onText}>
        <TextField className="field" isDisabled={isDisabled} isInvalid={error !== undefined} aria-describedby={error === undefined ? undefined : errorId}>
          <div className="field-label">
            <Label>{label}</Label>
          </div>
          {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- Autocomplete adds aria-controls and aria-activedescendant */}
          <Input className="input" role="combobox" aria-expanded={isOpen} ref={ref} placeholder={placeholder} maxLength={maxLength} />
          {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
        </TextField>
        {isOpen && (
          <div className={classNames(styles.list, isTall && styles.isTall)}>
            <Options key={answered} isTyped={isTyped} {...list} />
            {list.options.length === 0 && (
              <p className={classNames('meta', styles.note)} role="status">
                {emptyNote}
              </p>
            )}
          </div>
        )}
      </Autocomplete>
    </div>
  );
}
