import { EVERYONE } from '@roughmix/contracts/shared/mentions.js';
import { UsersRound } from 'lucide-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Avatar } from '../ui/avatar';
import { classNames } from '../ui/class-names';
import { Icon } from '../ui/icon';
import '../ui/menu.css';
import { TextArea } from '../ui/text-area';
import { matching, mentionAt, type Mentionable, type MentionQuery } from './mention-search';
import styles from './writing.module.css';

export interface MentionBoxProps {
  readonly ref?: Ref<HTMLTextAreaElement>;
  readonly label: string;
  readonly hidesLabel?: boolean;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly people: readonly Mentionable[];
  /** Ctrl or Cmd with Enter; in a single line also Enter alone. */
  readonly onSubmit: () => void;
  readonly isOneLine?: boolean;
  readonly isDisabled?: boolean;
  readonly onEscape?: () => void;
  readonly onImage?: (file: File) => void;
  readonly error?: string | null;
  readonly limit?: number;
  readonly autoFocus?: boolean;
}

interface Suggestions {
  readonly query: MentionQuery;
  readonly people: readonly Mentionable[];
}

/** The people suggested at the caret, which of them is active, and how one is chosen. */
function useSuggestions({ value, onChange, people }: Pick<MentionBoxProps, 'value' | 'onChange' | 'people'>) {
  const area = useRef<HTMLTextAreaElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const nextCaret = useRef<number | null>(null);
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  /** The index of an @ whose suggestions were used or dismissed. */
  const [settled, setSettled] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    area.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  }, [value]);
  const query = people.length > 1 ? mentionAt(value, caret) : null;
  const found = query === null || query.start === settled ? [] : matching(people, query);
  const suggestions: Suggestions | null = query === null || found.length === 0 ? null : { query, people: found };
  const followCaret = () => {
    setCaret(area.current?.selectionStart ?? 0);
    if (settled !== null && value[settled] !== '@') setSettled(null);
  };
  const choose = ({ query: { start, words } }: Suggestions, { username }: Mentionable) => {
    nextCaret.current = start + username.length + 2;
    setSettled(start);
    setCaret(nextCaret.current);
    setActive(0);
    onChange(`${value.slice(0, start)}@${username} ${value.slice(start + words.length + 1).replace(/^ /, '')}`);
  };
  const activate = (index: number) => {
    setActive(index);
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  };
  return {
    area,
    list,
    suggestions,
    active: suggestions === null ? 0 : Math.min(active, suggestions.people.length - 1),
    activate,
    reset: () => {
      setActive(0);
      if (list.current !== null) list.current.scrollTop = 0;
    },
    followCaret,
    choose,
    dismiss: () => setSettled(query?.start ?? null),
  };
}

interface OptionsProps {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly id: string;
  readonly people: readonly Mentionable[];
  readonly active: number;
  readonly onChoose: (person: Mentionable) => void;
}

const Options = ({ ref, id, people, active, onChoose }: OptionsProps) => (
  <div ref={ref} className={classNames('menu', styles['options'])} role="listbox" id={id} aria-label="People to mention">
    {people.map((person, index) => (
      // The text area keeps the focus and handles the keys, so pressing an option must not move the focus.
      <button
        type="button"
        key={person.username}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        className={classNames('item', index === active && styles['active'])}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onChoose(person)}
      >
        {person.photo === null ? <Icon of={UsersRound} /> : <Avatar name={person.name} photo={person.photo} size={20} isDecorative />}
        <span className="cut">{person.name}</span>
        {person.username !== EVERYONE && <span className="meta item-end cut">{person.username}</span>}
      </button>
    ))}
  </div>
);

/** Safari ends a composition before it sends the key that ended it, and marks that key with code 229. */
// oxlint-disable-next-line typescript/no-deprecated -- nothing else marks that key
const isComposing = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === 229;

/** Arrows, Enter, Tab and Escape control the suggestions while there are any. */
function handleSuggestionKey(event: KeyboardEvent, { suggestions, active, activate, choose, dismiss }: ReturnType<typeof useSuggestions>): boolean {
  if (suggestions === null || event.ctrlKey || event.metaKey) return false;
  const count = suggestions.people.length;
  const person = suggestions.people[active];
  const actions: Record<string, () => void> = {
    ArrowDown: () => activate((active + 1) % count),
    ArrowUp: () => activate((active + count - 1) % count),
    Enter: () => person && choose(suggestions, person),
    Tab: () => person && choose(suggestions, person),
    Escape: dismiss,
  };
  const action = actions[event.key];
  if (action === undefined) return false;
  event.preventDefault();
  event.stopPropagation();
  action();
  return true;
}

const imageIn = ({ clipboardData }: ClipboardEvent): File | undefined => [...clipboardData.files].find(({ type }) => type.startsWith('image/'));

/** A text area in which an @ suggests people to mention. */
export function MentionBox(props: MentionBoxProps) {
  const { ref, label, hidesLabel, placeholder, value, onChange, onSubmit, isOneLine, isDisabled, onEscape, onImage, error, limit, autoFocus } = props;
  const listId = useId();
  const mentions = useSuggestions(props);
  const { area, list, suggestions, active } = mentions;
  useImperativeHandle<HTMLTextAreaElement | null, HTMLTextAreaElement | null>(ref, () => area.current, [area]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || handleSuggestionKey(event, mentions)) return;
    if (event.key === 'Enter' && (isOneLine === true || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSubmit();
    }
    if (event.key === 'Escape') onEscape?.();
  };
  const popup = suggestions !== null && ({ 'aria-controls': listId, 'aria-activedescendant': `${listId}-${active}` } as const);
  const wrong: { readonly error?: ReactNode } = typeof error === 'string' ? { error } : {};
  return (
    <div className={styles['box']}>
      <TextArea
        ref={area}
        label={label}
        hidesLabel={hidesLabel ?? false}
        placeholder={placeholder}
        value={value}
        autoFocus={autoFocus}
        isDisabled={isDisabled}
        onChange={(next) => {
          onChange(isOneLine === true ? next.replaceAll('\n', ' ') : next);
          mentions.followCaret();
          mentions.reset();
        }}
        onSelect={mentions.followCaret}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const file = imageIn(event);
          if (file === undefined || onImage === undefined) return;
          event.preventDefault();
          onImage(file);
        }}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...popup}
        {...(limit === undefined ? {} : { limit })}
        {...wrong}
      />
      {suggestions !== null && (
        <Options ref={list} id={listId} people={suggestions.people} active={active} onChoose={(person) => mentions.choose(suggestions, person)} />
      )}
    </div>
  );
}
