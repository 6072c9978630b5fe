import type { ConnectionView } from '@roughmix/contracts/profiles/profile.view.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { Users } from 'lucide-react';
import { PersonLink } from '../../shared/people/person-link';
import { Avatar } from '../../shared/ui/avatar';
import { EmptyState } from '../../shared/ui/empty-state';
import { useGrowingList } from '../../shared/hooks/use-growing-list';
import { FollowButton } from './follow-button';
import styles from './profiles.module.css';

export interface ConnectionsListProps {
  /** Null for visitors who may not see them. */
  readonly connections: readonly ConnectionView[] | null;
  readonly emptyNote: string;
}

/** A person's connections, each with a button to follow them. */
export function ConnectionsList({ connections: visible, emptyNote }: ConnectionsListProps) {
  const connections = visible ?? [];
  const { count, end } = useGrowingList(connections.length);
  return (
    <section aria-labelledby="connections">
      <h2 className="wide" id="connections">
        Connections {visible !== null && <span className="meta">{connections.length}</span>}
      </h2>
      {connections.length === 0 ? (
        <EmptyState icon={Users}>{emptyNote}</EmptyState>
      ) : (
        <ul>
          {connections.slice(0, count).map((person) => (
            <li key={person.uid} className={styles.connection}>
              <Avatar name={fullName(person)} photo={person.smallPhoto} size={32} isDecorative />
              <PersonLink person={person} className="grow cut" />
              <FollowButton person={person} />
            </li>
          ))}
        </ul>
      )}
      {end !== null && <div ref={end} />}
    </section>
  );
}
