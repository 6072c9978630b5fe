import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef } from 'react';
import { Search, X } from 'lucide-react';
import './field.css';
import { Icon } from './icon';
import { IconButton } from './icon-button';

export interface SearchFieldProps {
  readonly ref?: Ref<HTMLInputElement>;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly onSubmit?: (value: string) => void;
}

/** A search box; Escape and the cross clear it and keep the focus. */
export function SearchField({ ref, label, value, onChange, placeholder, onSubmit }: SearchFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement | null>(null);
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => input.current, []);
  const clear = () => {
    onChange('');
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onSubmit?.(value);
    if (event.key !== 'Escape' || value === '') return;
    event.preventDefault();
    event.stopPropagation();
    clear();
  };
  return (
    <span className="search">
      <label className="sr" htmlFor={id}>
        {label}
      </label>
      <Icon of={Search} />
      <input
        ref={input}
        id={id}
        type="search"
        className="input"
        value={value}
        placeholder={placeholder ?? label}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {value !== '' && <IconButton label="Clear" icon={X} iconSize={14} size="s" onPress={clear} />}
    </span>
  );
}
