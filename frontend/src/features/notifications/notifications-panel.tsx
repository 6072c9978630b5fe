import type { Checklist } from '@roughmix/contracts/notifications/notification.types.js';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { errorMessage } from '../../shared/api/api-errors';
import { useStableCallback } from '../../shared/hooks/use-stable-callback';
import { Button } from '../../shared/ui/button';
import { ErrorState } from '../../shared/ui/error-state';
import { IconButton } from '../../shared/ui/icon-button';
import { SkeletonRows } from '../../shared/ui/skeleton';
import { ChecklistCard } from './checklist-card';
import type { EntryProps } from './notification-entry';
import { NotificationList } from './notification-list';
import { notificationsIn } from './notification-pages';
import { countsOf, notificationsOf, unreadOf, useReading } from './notifications.queries';
import styles from './notifications.module.css';
import { useChecklist } from './use-checklist';

type WelcomeView = NotificationView & { readonly checklist: Checklist };
const isWelcome = (view: NotificationView): view is WelcomeView => view.checklist !== null && view.isUnread;

interface NotificationsPanelProps extends Pick<EntryProps, 'onAnswer'> {
  readonly uid: Uid;
  /** Also leads back to where it was opened. */
  readonly onClose: () => void;
}

/** The list of notifications. */
export function NotificationsPanel({ uid, onClose, onAnswer }: NotificationsPanelProps) {
  const cache = useQueryClient();
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(notificationsOf(uid, cache));
  const { data: counts } = useQuery(countsOf(uid));
  const { markAsRead, dismissAll, isDismissing } = useReading(uid);
  const tick = useChecklist(uid);
  const more = useStableCallback(() => void fetchNextPage());
  const all = notificationsIn(data);
  const welcome = all.find(isWelcome);
  const entries = all.filter((view) => view.type !== 'UsersNew');
  const hasNew = unreadOf(counts) > (welcome === undefined ? 0 : 1);
  return (
    <div className={styles['panel']}>
      <div className={styles['head']}>
        <IconButton size="s" label="Back" icon={ArrowLeft} onPress={onClose} />
        <h2 className="h-panel grow">Notifications</h2>
        {hasNew && (
          <Button size="s" variant="quiet" onPress={dismissAll} isPending={isDismissing}>
            Dismiss All
          </Button>
        )}
      </div>
      {welcome !== undefined && <ChecklistCard view={welcome} onTick={(item, done) => tick(welcome, item, done)} onDone={markAsRead} />}
      {data !== undefined && !hasNew && <p className={styles['none']}>No new notifications</p>}
      {data === undefined && error !== null && (
        <ErrorState onRetry={() => void refetch()} isPending={isFetching}>
          {errorMessage(error)}
        </ErrorState>
      )}
      {data === undefined && error === null && <SkeletonRows label="Loading notifications" />}
      {entries.length > 0 && (
        <NotificationList
          notifications={entries}
          hasMore={hasNextPage}
          isLoadingMore={isFetchingNextPage}
          onMore={more}
          onRead={markAsRead}
          onOpen={onClose}
          onAnswer={onAnswer}
        />
      )}
    </div>
  );
}
