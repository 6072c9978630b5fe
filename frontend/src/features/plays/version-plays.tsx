import type { ListenerView, PlaysView } from '@roughmix/contracts/plays/play.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { relativePast } from '@roughmix/contracts/shared/relative-time.js';
import { useQuery } from '@tanstack/react-query';
import { formatMark } from '../../shared/format/time';
import { useNow } from '../../shared/hooks/use-now';
import { Avatar } from '../../shared/ui/avatar';
import { ErrorState } from '../../shared/ui/error-state';
import { SkeletonRows } from '../../shared/ui/skeleton';
import { When } from '../../shared/ui/when';
import { playsOf } from './plays.queries';
import styles from './version-plays.module.css';

const times = (plays: number): string => (plays === 1 ? '1 play' : `${plays} plays`);

function Listener({ listener: { user, plays, seconds, last } }: { readonly listener: ListenerView }) {
  const now = useNow();
  return (
    <li className={styles.listener}>
      <Avatar name={fullName(user)} photo={user.smallPhoto} isDecorative />
      <span className={styles.name}>{fullName(user)}</span>
      <span className="meta">
        {times(plays)}, {formatMark(seconds)}
      </span>
      <span className="meta">
        <When at={last}>{relativePast(last, now)}</When>
      </span>
    </li>
  );
}

function Listeners({ plays: { plays, seconds, listeners } }: { readonly plays: PlaysView }) {
  if (plays === 0) return <p className="meta">Not played yet.</p>;
  return (
    <>
      <p className="meta">
        {times(plays)}, {formatMark(seconds)} in all
      </p>
      <ul className={styles.listeners}>
        {listeners.map((listener) => (
          <Listener key={listener.user.uid} listener={listener} />
        ))}
      </ul>
    </>
  );
}

/** Who listened to a version, and for how long. Only the project's owner may see it. */
export function VersionPlays({ versionId }: { readonly versionId: Id }) {
  const { data, isError, isFetching, refetch } = useQuery(playsOf(versionId));
  return (
    <section aria-labelledby="version-plays" className={styles.plays}>
      <h3 className="h-panel" id="version-plays">
        Plays
      </h3>
      {data !== undefined && <Listeners plays={data} />}
      {data === undefined && isError && (
        <ErrorState onRetry={() => void refetch()} isPending={isFetching}>
          The plays could not be loaded.
        </ErrorState>
      )}
      {data === undefined && !isError && <SkeletonRows label="Loading plays" rows={1} />}
      <p className="meta">Only you see this.</p>
    </section>
  );
}
