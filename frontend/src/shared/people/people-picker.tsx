import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';
import { X } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { sentenceOf } from '../api/api-errors';
import { Avatar } from '../ui/avatar';
import { Field } from '../ui/field';
import { IconButton } from '../ui/icon-button';
import { FoundPeople, optionId } from './found-people';
import './people-picker.css';
import { usePeopleSearch } from './people-search';

export interface PeoplePickerProps {
  readonly label?: string;
  readonly selected: readonly PersonView[];
  readonly onChange: (selected: readonly PersonView[]) => void;
  /** Not offered: who is in already, and oneself. */
  readonly exclude: readonly Uid[];
  /** The field has the focus when it appears. */
  readonly takesFocus?: boolean;
}

const Chosen = ({ person, remove }: { readonly person: PersonView; readonly remove: () => void }) => (
  <li className="chosen">
    <Avatar name={fullName(person)} photo={person.smallPhoto} size={20} isDecorative />
    <span className="cut">{fullName(person)}</span>
    <IconButton label={`Leave out ${fullName(person)}`} icon={X} size="s" onPress={remove} />
  </li>
);

/** What is typed, who is found, and which of them the arrows are on. */
function useOffer({ selected, onChange, exclude }: PeoplePickerProps) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const search = usePeopleSearch(typed);
  const people = search.people.filter(({ uid }) => !exclude.includes(uid) && !selected.some((one) => one.uid === uid));
  const type = (text: string) => {
    setTyped(text);
    setAt(0);
  };
  const pick = (person: PersonView | undefined) => {
    if (person === undefined) return;
    onChange([...selected, person]);
    type('');
  };
  // What the keys choose must not change under them: they wait for who is found for what is typed.
  const take = (nth: number) => search.isCurrent && pick(people[nth]);
  const step = (by: number) => search.isCurrent && people.length > 0 && setAt((now) => (now + by + people.length) % people.length);
  return { ...search, people, typed, type, at: Math.min(at, Math.max(0, people.length - 1)), step, pick, take, isOpen: typed.trim() !== '' };
}

/** Arrows move, Enter picks, Escape clears before it leaves the dialog. */
function onKey(event: KeyboardEvent, offer: ReturnType<typeof useOffer>): void {
  const acts: Record<string, () => void> = {
    ArrowDown: () => offer.step(1),
    ArrowUp: () => offer.step(-1),
    Enter: () => offer.take(offer.at),
    Escape: () => offer.type(''),
  };
  const act = acts[event.key];
  if (act === undefined || !offer.isOpen) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** Finds people by name and keeps those who were picked below the field. */
export function PeoplePicker(props: PeoplePickerProps) {
  const { label = 'People', selected, onChange, takesFocus = false } = props;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const listId = useId();
  const offer = useOffer(props);
  const marked = offer.isCurrent ? offer.people[offer.at] : undefined;
  return (
    <div className="people-picker">
      <Field label={label} {...(offer.error === null ? {} : { error: sentenceOf(offer.error) })}>
        {(control) => (
          <input
            {...control}
            type="text"
            role="combobox"
            className="input"
            ref={field}
            placeholder="Name or username"
            autoComplete="off"
            aria-autocomplete="list"
            aria-expanded={offer.isOpen}
            aria-controls={listId}
            aria-activedescendant={offer.isOpen && marked ? optionId(listId, marked) : undefined}
            value={offer.typed}
            maxLength={LIMITS.search}
            disabled={selected.length >= LIMITS.peopleInOneInvitation}
            onChange={(event) => offer.type(event.target.value)}
            onKeyDown={(event) => onKey(event, offer)}
          />
        )}
      </Field>
      {offer.isOpen && <FoundPeople id={listId} {...offer} marked={marked} onPick={offer.pick} />}
      {selected.length > 0 && (
        <ul className="chosen-people" aria-label="Picked">
          {selected.map((person) => (
            <Chosen key={person.uid} person={person} remove={() => onChange(selected.filter(({ uid }) => uid !== person.uid))} />
          ))}
        </ul>
      )}
    </div>
  );
}
