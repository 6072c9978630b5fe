import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { Count, shownCount } from '../../shared/ui/count';
import { IconButton } from '../../shared/ui/icon-button';
import { DIALOG, part } from '../../shared/ui/part';
import { Popover } from '../../shared/ui/popover';
import { SkeletonRows } from '../../shared/ui/skeleton';
import { WhileOpen } from '../../shared/ui/while-open';
import type { InvitationAnswer } from './invitation-actions';
import { countsOf, notificationsOf, unreadOf } from './notifications.queries';
import styles from './notifications.module.css';

const NotificationsPanel = part(async () => ({ default: (await import('./notifications-panel')).NotificationsPanel }));
const InvitationQuestion = part(async () => ({ default: (await import('./invitation-question')).InvitationQuestion }), DIALOG);

/** After the page's own data. */
const FETCH_AFTER_MS = 1_000;

/** The number of unread notifications, and whether there are any at all; fetched a moment after the page. */
export function useNotifications(uid: Uid) {
  const cache = useQueryClient();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), FETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useInfiniteQuery({ ...notificationsOf(uid, cache), enabled: isLate });
  const { data: counts } = useQuery(countsOf(uid));
  return { unread: unreadOf(counts), isEmpty: data !== undefined && data.pages.every(({ notifications }) => notifications.length === 0) };
}

interface NotificationsMenuProps {
  readonly uid: Uid;
  readonly unread: number;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** Called once the user has left the project of an invitation. */
  readonly onLeft: (projectId: Id) => void;
}

/** The bell in the header with the unread count; it opens the list. */
export function NotificationsMenu({ uid, unread, isOpen, onOpenChange, onLeft }: NotificationsMenuProps) {
  const [answer, setAnswer] = useState<InvitationAnswer | null>(null);
  const list = (
    <Popover
      label="Notifications"
      className={styles['popover']}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      trigger={(trigger) => (
        <IconButton label={unread > 0 ? `Notifications, ${shownCount(unread)} unread` : 'Notifications'} icon={Bell} {...trigger}>
          {unread > 0 && <Count of={unread} isUnread />}
        </IconButton>
      )}
    >
      {(close) => (
        <Suspense fallback={<SkeletonRows label="Loading notifications" />}>
          <NotificationsPanel
            uid={uid}
            onClose={close}
            onAnswer={(chosen) => {
              close();
              setAnswer(chosen);
            }}
          />
        </Suspense>
      )}
    </Popover>
  );
  return (
    <>
      {list}
      <WhileOpen value={answer}>
        {(chosen) => (
          <Suspense fallback={null}>
            <InvitationQuestion answer={chosen} onClose={() => setAnswer(null)} onLeft={onLeft} />
          </Suspense>
        )}
      </WhileOpen>
    </>
  );
}
