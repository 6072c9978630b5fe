import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../api/api-errors';
import { Avatar } from '../ui/avatar';
import { classNames } from '../ui/class-names';
import { ComboBox, type ComboBoxOption } from '../ui/combo-box';
import { IconButton } from '../ui/icon-button';
import styles from './people-picker.module.css';
import { useConnections, usePeopleSearch } from './people-search';

export interface PeoplePickerProps {
  readonly label?: string;
  readonly selected: readonly PersonView[];
  readonly onChange: (selected: readonly PersonView[]) => void;
  /** People not to suggest: members, and the user. */
  readonly exclude: readonly Uid[];
  /** Focuses the field when it appears. */
  readonly takesFocus?: boolean;
}

const Picked = ({ person, remove }: { readonly person: PersonView; readonly remove: () => void }) => (
  <li className={styles.person}>
    <Avatar name={fullName(person)} photo={person.smallPhoto} size={20} isDecorative />
    <span className="cut">{fullName(person)}</span>
    <IconButton label={`Remove ${isolated(fullName(person))}`} icon={X} size="s" onPress={remove} />
  </li>
);

const optionOf = (person: PersonView): ComboBoxOption => ({
  id: person.uid,
  label: fullName(person),
  content: (
    <>
      <Avatar name={fullName(person)} photo={person.smallPhoto} size={20} isDecorative />
      <span className="cut">{fullName(person)}</span>
      <span className={classNames('meta cut', styles.username)}>{person.username}</span>
    </>
  ),
});

const MOST_OFFERED = 40;

const noteOf = ({ isLongEnough, isFetching }: { readonly isLongEnough: boolean; readonly isFetching: boolean }): string => {
  if (!isLongEnough) return 'Type at least two letters';
  return isFetching ? 'Searching...' : 'No people found';
};

/** Finds people by name and lists those picked below the field. The user's connections are offered before anything is typed, and first after that. */
export function PeoplePicker({ label = 'People', selected, onChange, exclude, takesFocus = false }: PeoplePickerProps) {
  const [text, setText] = useState('');
  const search = usePeopleSearch(text);
  const connections = useConnections(text);
  const isTyped = text.trim() !== '';
  const others = isTyped ? search.people : [];
  const found = [...connections, ...others.filter(({ uid }) => connections.every((one) => one.uid !== uid))];
  const people = found.filter(({ uid }) => !exclude.includes(uid) && !selected.some((one) => one.uid === uid)).slice(0, MOST_OFFERED);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const pick = (uid: string) => {
    const person = people.find((one) => one.uid === uid);
    if (person === undefined) return;
    onChange([...selected, person]);
    setText('');
  };
  return (
    <div className={styles.picker}>
      <ComboBox
        label={label}
        listLabel="People found"
        placeholder="Name or username"
        maxLength={LIMITS.search}
        isDisabled={selected.length >= LIMITS.peopleInOneInvitation}
        error={search.error === null ? undefined : errorMessage(search.error)}
        ref={field}
        text={text}
        onText={setText}
        options={people.map(optionOf)}
        isCurrent={!isTyped || search.isCurrent}
        offersAtOnce
        emptyNote={noteOf(search)}
        onPick={pick}
      />
      {selected.length > 0 && (
        <ul className={styles.picked} aria-label="Selected people">
          {selected.map((person) => (
            <Picked key={person.uid} person={person} remove={() => onChange(selected.filter(({ uid }) => uid !== person.uid))} />
          ))}
        </ul>
      )}
    </div>
  );
}
