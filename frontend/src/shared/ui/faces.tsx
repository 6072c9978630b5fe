import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { Avatar, type AvatarSize } from './avatar';

export interface Face {
  readonly id: string;
  readonly name: string;
  readonly photo?: string | undefined;
  readonly isHere?: boolean;
}

export interface FacesProps {
  readonly label: string;
  readonly people: readonly Face[];
  /** How many faces are shown before the rest becomes a number. */
  readonly most?: number;
  readonly size?: AvatarSize;
}

/** People side by side, the rest as +N. */
export function Faces({ label, people, most = 3, size = 24 }: FacesProps) {
  const shown = people.slice(0, most);
  const rest = people.slice(most);
  return (
    <ul className="faces" aria-label={label}>
      {shown.map((person) => (
        <li key={person.id}>
          <Avatar name={person.name} photo={person.photo} size={size} isHere={person.isHere} />
        </li>
      ))}
      {rest.length > 0 && (
        <li title={rest.map(({ name }) => isolated(name)).join(', ')}>
          <span className={`av more av-${size}`}>
            <span aria-hidden="true">+{rest.length}</span>
            <span className="sr">and {rest.length} more</span>
          </span>
        </li>
      )}
    </ul>
  );
}
