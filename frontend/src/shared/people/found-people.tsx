import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';
import { useEffect, useRef } from 'react';
import { Avatar } from '../ui/avatar';
import { classNames } from '../ui/class-names';

interface FoundPeopleProps {
  readonly id: string;
  readonly people: readonly PersonView[];
  readonly marked: PersonView | undefined;
  readonly isFetching: boolean;
  readonly isLongEnough: boolean;
  readonly onPick: (person: PersonView) => void;
}

/** The id of one found person in the list `listId`. */
export const optionId = (listId: string, { uid }: PersonView): string => `${listId}-${uid}`;

function Found({
  id,
  person,
  isMarked,
  onPick,
}: {
  readonly id: string;
  readonly person: PersonView;
  readonly isMarked: boolean;
  readonly onPick: () => void;
}) {
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);
  return (
    // The field keeps the focus and handles the keys, so the press must not take it.
    <button
      type="button"
      ref={row}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isMarked}
      className={classNames('item', isMarked && 'is-marked')}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <Avatar name={fullName(person)} photo={person.smallPhoto} size={20} isDecorative />
      <span className="cut">{fullName(person)}</span>
      <span className="meta end cut">{person.username}</span>
    </button>
  );
}

/** Who was found, or why nobody is shown. */
export function FoundPeople({ id, people, marked, isFetching, isLongEnough, onPick }: FoundPeopleProps) {
  return (
    <div className="people-found">
      <div id={id} role="listbox" aria-label="People found">
        {people.map((person) => (
          <Found key={person.uid} id={optionId(id, person)} person={person} isMarked={person === marked} onPick={() => onPick(person)} />
        ))}
      </div>
      {people.length === 0 && (
        <p className="meta nobody" role="status">
          {isLongEnough ? (isFetching ? 'Looking...' : 'Nobody found') : 'Two letters or more'}
        </p>
      )}
    </div>
  );
}
