import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { addDays, type Day, dayOf, startOfDay } from '../../shared/format/days';

/** A row of the list: the heading of a day, the resource that the entries below are about, or an entry. */
export type NotificationRow =
  | { readonly kind: 'day'; readonly id: string; readonly label: string }
  | { readonly kind: 'resource'; readonly id: string; readonly label: string }
  | { readonly kind: 'entry'; readonly id: string; readonly view: NotificationView };

const DATE = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

function dayLabel(day: Day, now: Instant): string {
  const today = dayOf(now);
  if (day === today) return 'Today';
  return day === addDays(today, -1) ? 'Yesterday' : DATE.format(startOfDay(day));
}

/** Splits a list by a key, keeping the order in which the keys first appear. */
function groups<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly (readonly [key: string, items: readonly Item[]])[] {
  const byKey = new Map<string, Item[]>();
  for (const item of items) byKey.set(keyOf(item), [...(byKey.get(keyOf(item)) ?? []), item]);
  return [...byKey];
}

/** What entries have in common: the project or group, else nothing. */
const resourceOf = ({ parentResourceId }: NotificationView): string => parentResourceId ?? '';

/** The list by day, and within a day by project, both with the newest first. Entries about no project have no heading. */
export function notificationRows(views: readonly NotificationView[], now: Instant): readonly NotificationRow[] {
  return groups(views, ({ dateAdded }) => dayOf(dateAdded)).flatMap(([day, ofDay]) => [
    { kind: 'day', id: day, label: dayLabel(day, now) } as const,
    ...groups(ofDay, resourceOf).flatMap(([resource, entries]): readonly NotificationRow[] => {
      const label = entries[0]?.parentResourceName ?? null;
      const heading: readonly NotificationRow[] = resource === '' || label === null ? [] : [{ kind: 'resource', id: `${day} ${resource}`, label }];
      return [...heading, ...entries.map((view) => ({ kind: 'entry', id: view._id, view }) as const)];
    }),
  ]);
}
