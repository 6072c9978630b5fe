import { profilePage } from '@roughmix/contracts/profiles/profile.paths.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { fullName, isErased, type PersonView, UNKNOWN_USER } from '@roughmix/contracts/users/user.view.js';
import { Link } from 'react-router-dom';
import { useSession } from '../session/session-provider';
import { classNames } from '../ui/class-names';
import './person-link.css';

/** The address of a person's page, for this viewer; null for erased and unknown people, who have none. */
export function pageOfPerson(person: Pick<PersonView, 'uid' | 'username'>, viewer: Uid | null): string | null {
  if (isErased(person) || person.username === UNKNOWN_USER) return null;
  return person.uid === viewer ? '/home' : profilePage(person.username);
}

export interface PersonLinkProps {
  readonly person: PersonView;
  readonly className?: string;
}

/** A person's name, which leads to their page. */
export function PersonLink({ person, className }: PersonLinkProps) {
  const page = pageOfPerson(person, useSession().user?.uid ?? null);
  return page === null ? (
    <span className={className}>{fullName(person)}</span>
  ) : (
    <Link to={page} className={classNames('person-link', className)}>
      {fullName(person)}
    </Link>
  );
}
