import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { useNow } from '../../shared/hooks/use-now';
import { SkeletonRows } from '../../shared/ui/skeleton';
import { type EntryProps, NotificationEntry } from './notification-entry';
import { notificationRows } from './notification-rows';
import styles from './notifications.module.css';

const HEIGHTS = { day: 34, resource: 28, entry: 64 } as const;
/** Rows rendered beyond the visible ones, which the Tab key can reach. */
const OVERSCAN = 8;
/** The next page is fetched when this many rows are left. */
const AHEAD = 10;

interface NotificationListProps extends Omit<EntryProps, 'view'> {
  readonly notifications: readonly NotificationView[];
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly onMore: () => void;
}

/** Moves the focus to the entry above or below. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-entry]')];
  const at = entries.indexOf(document.activeElement as HTMLElement);
  const next = entries[event.key === 'ArrowDown' ? at + 1 : at - 1];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** The notifications by day and project. Only the rows near the visible ones are rendered, and older pages are loaded as they are approached. */
export function NotificationList({ notifications, hasMore, isLoadingMore, onMore, ...entry }: NotificationListProps) {
  const now = useNow();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => notificationRows(notifications, now), [notifications, now]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => HEIGHTS[rows[at]?.kind ?? 'entry'],
    getItemKey: (at) => rows[at]?.id ?? at,
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoadingMore) onMore();
  }, [isNearEnd, hasMore, isLoadingMore, onMore]);
  return (
    <div className={styles['scroller']} ref={scroller} onKeyDown={moveFocus} role="presentation">
      <ul className={styles['rows']} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <li key={key} ref={virtual.measureElement} data-index={index} style={{ transform: `translateY(${start}px)` }}>
              {row.kind === 'entry' ? (
                <NotificationEntry view={row.view} {...entry} />
              ) : (
                <span className={row.kind === 'day' ? styles['day'] : styles['resource']}>{row.label}</span>
              )}
            </li>
          );
        })}
      </ul>
      {isLoadingMore && <SkeletonRows label="Loading older notifications" rows={2} />}
    </div>
  );
}
