import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';
import { X } from 'lucide-react';
import { useState } from 'react';
import { ComboBox, Input, Label } from 'react-aria-components/ComboBox';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { sentenceOf } from '../api/api-errors';
import { Avatar } from '../ui/avatar';
import { FieldError } from '../ui/field';
import { IconButton } from '../ui/icon-button';
import './people-picker.css';
import { usePeopleSearch } from './people-search';

export interface PeoplePickerProps {
  readonly label?: string;
  readonly selected: readonly PersonView[];
  readonly onChange: (selected: readonly PersonView[]) => void;
  /** Not offered: who is in already, and oneself. */
  readonly exclude: readonly Uid[];
}

const Chosen = ({ person, remove }: { readonly person: PersonView; readonly remove: () => void }) => (
  <li className="chosen">
    <Avatar name={fullName(person)} photo={person.smallPhoto} size={20} isDecorative />
    <span className="cut">{fullName(person)}</span>
    <IconButton label={`Leave out ${fullName(person)}`} icon={X} size="s" onPress={remove} />
  </li>
);

const Found = ({ person }: { readonly person: PersonView }) => (
  <ListBoxItem id={person.uid} className="item" textValue={fullName(person)}>
    <Avatar name={fullName(person)} photo={person.smallPhoto} size={20} isDecorative />
    <span className="cut">{fullName(person)}</span>
    <span className="meta end cut">{person.username}</span>
  </ListBoxItem>
);

/** Finds people by name and keeps those who were picked below the field. */
export function PeoplePicker({ label = 'People', selected, onChange, exclude }: PeoplePickerProps) {
  const [typed, setTyped] = useState('');
  const { people, error, isFetching, isLongEnough } = usePeopleSearch(typed);
  const offered = people.filter(({ uid }) => !exclude.includes(uid) && !selected.some((one) => one.uid === uid));
  const isFull = selected.length >= LIMITS.peopleInOneInvitation;
  const pick = (uid: Uid | null) => {
    const person = offered.find((one) => one.uid === uid);
    if (person === undefined) return;
    onChange([...selected, person]);
    setTyped('');
  };
  return (
    <div className="people-picker">
      <ComboBox
        className="field"
        items={offered}
        inputValue={typed}
        onInputChange={setTyped}
        selectedKey={null}
        onSelectionChange={(key) => pick(key === null ? null : String(key))}
        allowsEmptyCollection={isLongEnough}
        isDisabled={isFull}
        menuTrigger="input"
      >
        <Label className="field-label">{label}</Label>
        <Input className="input" placeholder="Name or username" />
        <Popover className="popover people-found" offset={4}>
          <ListBox<PersonView> className="menu" renderEmptyState={() => <p className="meta nobody">{isFetching ? 'Looking...' : 'Nobody found'}</p>}>
            {(person) => <Found person={person} />}
          </ListBox>
        </Popover>
      </ComboBox>
      {error !== null && <FieldError>{sentenceOf(error)}</FieldError>}
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
