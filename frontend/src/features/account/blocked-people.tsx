import { BLOCK_PATHS } from '@roughmix/contracts/blocks/block.paths.js';
import { fullName, type PersonView, type SelfView, type UsersAnswer } from '@roughmix/contracts/users/user.view.js';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { useBlock } from '../../shared/people/use-block';
import { Avatar } from '../../shared/ui/avatar';
import { Button } from '../../shared/ui/button';
import { ErrorState } from '../../shared/ui/error-state';
import { SkeletonRows } from '../../shared/ui/skeleton';
import styles from './settings.module.css';

/** The people whom the user blocks, by name; fetched again when the session's list changes. */
const blockedPeople = ({ uid, blocked }: SelfView) =>
  queryOptions({
    queryKey: ['blocked', uid, blocked],
    queryFn: async ({ signal }): Promise<readonly PersonView[]> => (await api.get<UsersAnswer>(BLOCK_PATHS.list(uid), { signal })).users,
    placeholderData: keepPreviousData,
    enabled: blocked.length > 0,
  });

function BlockedRow({ person, onUnblocked }: { readonly person: PersonView; readonly onUnblocked: () => void }) {
  const { change, unblock } = useBlock(person);
  return (
    <li className={styles.device}>
      <Avatar name={fullName(person)} photo={person.smallPhoto} size={32} isDecorative />
      <span className="grow">
        <span className="cut">{fullName(person)}</span>
        <span className="meta">{person.username}</span>
      </span>
      <Button size="s" variant="outline" onPress={() => unblock(onUnblocked)} isPending={change.isPending}>
        Unblock
        <span className="sr"> {fullName(person)}</span>
      </Button>
    </li>
  );
}

/** Lists the people whom the user blocks, to unblock them. */
export function BlockedPeople({ user }: { readonly user: SelfView }) {
  const { data, error, isFetching, refetch } = useQuery(blockedPeople(user));
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = data?.filter(({ uid }) => user.blocked.includes(uid));
  const isEmpty = user.blocked.length === 0;
  return (
    <section className={styles.section} aria-label="Blocked people">
      <h3 className="h-panel" ref={heading} tabIndex={-1}>
        Blocked people
      </h3>
      <p className="hint">
        {isEmpty
          ? 'You have not blocked anyone. You can block people on their profile, or in the notification that they added you to a project.'
          : 'They cannot add you to projects or find you to invite you.'}
      </p>
      {!isEmpty && shown === undefined && error !== null && (
        <ErrorState onRetry={() => void refetch()} isPending={isFetching}>
          {errorMessage(error)}
        </ErrorState>
      )}
      {!isEmpty && shown === undefined && error === null && <SkeletonRows label="Loading blocked people" rows={1} />}
      {!isEmpty && shown !== undefined && (
        <ul>
          {shown.map((person) => (
            // Afterwards the pressed button is gone.
            <BlockedRow key={person.uid} person={person} onUnblocked={() => heading.current?.focus()} />
          ))}
        </ul>
      )}
    </section>
  );
}
