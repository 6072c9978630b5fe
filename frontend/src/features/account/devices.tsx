import type { Id } from '@roughmix/contracts/shared/ids.js';
import { relativePast } from '@roughmix/contracts/shared/relative-time.js';
import type { DeviceSession } from '@roughmix/contracts/users/user.view.js';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { useNow } from '../../shared/hooks/use-now';
import { Badge } from '../../shared/ui/badge';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { ErrorState } from '../../shared/ui/error-state';
import { SkeletonRows } from '../../shared/ui/skeleton';
import { When } from '../../shared/ui/when';
import { devicesQuery, useEndSession } from './devices.queries';
import styles from './settings.module.css';

interface DeviceRowProps {
  readonly device: DeviceSession;
  readonly now: number;
  readonly isEnding: boolean;
  readonly onEnd: () => void;
}

function DeviceRow({ device: { current, device, dateAdded, lastUsed }, now, isEnding, onEnd }: DeviceRowProps) {
  return (
    <li className={styles.device}>
      <span className="grow">
        <span className="cut">{device}</span>
        <span className="meta">
          last used <When at={lastUsed}>{relativePast(lastUsed, now)}</When>, signed in <When at={dateAdded}>{relativePast(dateAdded, now)}</When>
        </span>
      </span>
      {current ? (
        <Badge tone="line">this device</Badge>
      ) : (
        <Button size="s" variant="outline" onPress={onEnd} isPending={isEnding} aria-label={`Sign out there: ${device}`}>
          Sign out there
        </Button>
      )}
    </li>
  );
}

/** Where the user is signed in, and signing out there. */
export function Devices() {
  const { data, error, isFetching, refetch } = useQuery(devicesQuery);
  const end = useEndSession();
  const now = useNow();
  const heading = useRef<HTMLHeadingElement>(null);
  // Afterwards the pressed button is gone.
  const signOut = (id: Id | null) => end.mutate(id, { onSuccess: () => heading.current?.focus() });
  const isEnding = (id: Id | null) => end.isPending && end.variables === id;
  return (
    <section className={styles.section} aria-label="Signed-in devices">
      <h3 className="h-panel" ref={heading} tabIndex={-1}>
        Signed-in devices
      </h3>
      {end.error !== null && <Banner tone="bad">{errorMessage(end.error)}</Banner>}
      {data === undefined && error !== null && (
        <ErrorState onRetry={() => void refetch()} isPending={isFetching}>
          {errorMessage(error)}
        </ErrorState>
      )}
      {data === undefined && error === null && <SkeletonRows label="Loading devices" rows={2} />}
      {data !== undefined && (
        <ul>
          {data.map((device) => (
            <DeviceRow key={device._id} device={device} now={now} isEnding={isEnding(device._id)} onEnd={() => signOut(device._id)} />
          ))}
        </ul>
      )}
      {data !== undefined && data.some(({ current }) => !current) && (
        <Button size="s" variant="outline" className={styles.all} onPress={() => signOut(null)} isPending={isEnding(null)}>
          Sign out everywhere else
        </Button>
      )}
    </section>
  );
}
