import { EVERYONE } from '@roughmix/contracts/shared/mentions.js';
import { UsersRound } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, type Ref, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { Avatar } from '../../shared/ui/avatar';
import { classNames } from '../../shared/ui/class-names';
import { Icon } from '../../shared/ui/icon';
import '../../shared/ui/menu.css';
import { TextArea } from '../../shared/ui/text-area';
import './comments.css';
import { fitting, mentionAt, type Mentionable, type MentionQuery } from './mention-search';

export interface MentionBoxProps {
  readonly ref?: Ref<HTMLTextAreaElement>;
  readonly label: string;
  readonly hidesLabel?: boolean;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly people: readonly Mentionable[];
  /** Ctrl or Cmd with Enter. */
  readonly onSubmit: () => void;
  readonly onEscape?: () => void;
  readonly onImage?: (file: File) => void;
  readonly error?: string | null;
  readonly limit?: number;
  readonly autoFocus?: boolean;
}

interface Offer {
  readonly query: MentionQuery;
  readonly people: readonly Mentionable[];
}

/** What is offered at the caret, which of it the arrows are on, and how one is taken. */
function useOffer({ value, onChange, people }: Pick<MentionBoxProps, 'value' | 'onChange' | 'people'>) {
  const area = useRef<HTMLTextAreaElement>(null);
  const nextCaret = useRef<number | null>(null);
  const [caret, setCaret] = useState(0);
  const [at, setAt] = useState(0);
  /** The @ whose offer was taken or waved away. */
  const [settled, setSettled] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    area.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  }, [value]);
  const query = people.length > 1 ? mentionAt(value, caret) : null;
  const found = query === null || query.start === settled ? [] : fitting(people, query);
  const offer: Offer | null = query === null || found.length === 0 ? null : { query, people: found };
  const follow = () => {
    const start = area.current?.selectionStart ?? 0;
    setCaret(start);
    if (settled !== null && value[settled] !== '@') setSettled(null);
  };
  const take = ({ query: { start, words } }: Offer, { username }: Mentionable) => {
    nextCaret.current = start + username.length + 2;
    setSettled(start);
    setCaret(nextCaret.current);
    setAt(0);
    onChange(`${value.slice(0, start)}@${username} ${value.slice(start + words.length + 1).replace(/^ /, '')}`);
  };
  return { area, offer, at: offer === null ? 0 : Math.min(at, offer.people.length - 1), setAt, follow, take, dismiss: () => setSettled(query?.start ?? null) };
}

function Offered({
  id,
  offer,
  at,
  onTake,
}: {
  readonly id: string;
  readonly offer: Offer;
  readonly at: number;
  readonly onTake: (person: Mentionable) => void;
}) {
  return (
    <div className="menu" role="listbox" id={id} aria-label="People to mention">
      {offer.people.map((person, index) => (
        // The box keeps the focus and handles the keys, so the press must not take it.
        <button
          type="button"
          key={person.username}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          className={classNames('item', index === at && 'is-marked')}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(person)}
        >
          {person.photo === null ? <Icon of={UsersRound} /> : <Avatar name={person.name} photo={person.photo} size={20} isDecorative />}
          <span className="cut">{person.name}</span>
          {person.username !== EVERYONE && <span className="meta item-end cut">{person.username}</span>}
        </button>
      ))}
    </div>
  );
}

type Offering = ReturnType<typeof useOffer>;

/** Arrows, Enter, Tab and Escape belong to the offer while there is one. */
function onOfferKey(event: KeyboardEvent, { offer, at, setAt, take, dismiss }: Offering): boolean {
  if (offer === null || event.ctrlKey || event.metaKey) return false;
  const count = offer.people.length;
  const marked = offer.people[at];
  const acts: Record<string, () => void> = {
    ArrowDown: () => setAt((at + 1) % count),
    ArrowUp: () => setAt((at + count - 1) % count),
    Enter: () => marked && take(offer, marked),
    Tab: () => marked && take(offer, marked),
    Escape: dismiss,
  };
  const act = acts[event.key];
  if (act === undefined) return false;
  event.preventDefault();
  event.stopPropagation();
  act();
  return true;
}

const imageIn = ({ clipboardData }: ClipboardEvent): File | undefined => [...clipboardData.files].find(({ type }) => type.startsWith('image/'));

/** Several lines in which an @ offers the members. */
export function MentionBox(props: MentionBoxProps) {
  const { ref, label, hidesLabel, placeholder, value, onChange, onSubmit, onEscape, onImage, error, limit, autoFocus } = props;
  const listId = useId();
  const offering = useOffer(props);
  const { area, offer, at } = offering;
  useImperativeHandle<HTMLTextAreaElement | null, HTMLTextAreaElement | null>(ref, () => area.current, [area]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || onOfferKey(event, offering)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSubmit();
    }
    if (event.key === 'Escape') onEscape?.();
  };
  const popup = offer !== null && ({ 'aria-controls': listId, 'aria-activedescendant': `${listId}-${at}` } as const);
  const wrong: { readonly error?: ReactNode } = typeof error === 'string' ? { error } : {};
  return (
    <div className="mention-box">
      <TextArea
        ref={area}
        label={label}
        hidesLabel={hidesLabel ?? false}
        placeholder={placeholder}
        value={value}
        autoFocus={autoFocus}
        onChange={(next) => {
          onChange(next);
          offering.follow();
          offering.setAt(0);
        }}
        onSelect={offering.follow}
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
      {offer !== null && <Offered id={listId} offer={offer} at={at} onTake={(person) => offering.take(offer, person)} />}
    </div>
  );
}
