import { NOTIFICATION_SETS, type NotificationSet } from '@roughmix/contracts/notifications/notification.types.js';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { pageRequest } from '../platform/http/paging.js';
import type { NotificationDocument } from './notifications.documents.js';

/** The query of GET /api/notifications/{uid}, as it was sent. */
export interface ListQuery {
  readonly before?: unknown;
  readonly limit?: unknown;
  readonly set?: unknown;
  readonly unread?: unknown;
  readonly checklist?: unknown;
}

/** A notification's place in a list. */
export interface Place {
  readonly dateAdded: Instant;
  readonly id: Id;
}

export interface ListRequest {
  /** Only what comes after this in the list; null: from the start. */
  readonly before: Place | null;
  readonly limit: number;
  readonly set: NotificationSet | null;
  readonly unread: boolean;
  /** Only the welcome card, while it is unread: it is the oldest, so it may be on a page that nobody has asked for. */
  readonly checklist: boolean;
}

const CURSOR = /^(\d{1,16})\.(\w{1,64})$/;

/** @throws Refused `request.invalid`, naming the field */
function flag(field: keyof ListQuery, value: unknown): boolean {
  if (value !== undefined && value !== 'true' && value !== 'false') throw new Refused('request.invalid', { field });
  return value === 'true';
}

/** @throws Refused `request.invalid`, naming the field */
export function listRequest({ before, limit, set, ...flags }: ListQuery): ListRequest {
  const page = pageRequest({ limit });
  const cursor = typeof before === 'string' ? CURSOR.exec(before) : null;
  if (before !== undefined && cursor === null) throw new Refused('request.invalid', { field: 'before' });
  const wanted = NOTIFICATION_SETS.find((each) => each === set) ?? null;
  if (set !== undefined && wanted === null) throw new Refused('request.invalid', { field: 'set' });
  const [, dateAdded = '', id = ''] = cursor ?? [];
  return {
    before: cursor === null ? null : { dateAdded: Number(dateAdded), id },
    limit: page.limit,
    set: wanted,
    unread: flag('unread', flags.unread),
    checklist: flag('checklist', flags.checklist),
  };
}

export const placeOf = ({ dateAdded, notificationId }: NotificationDocument): Place => ({ dateAdded, id: notificationId });

/** The cursor of the page after a notification. */
export const cursorOf = ({ dateAdded, notificationId }: NotificationDocument): string => `${dateAdded}.${notificationId}`;

const compare = (one: Place, other: Place): number => other.dateAdded - one.dateAdded || (one.id < other.id ? 1 : -1);

export const newestFirst = (one: NotificationDocument, other: NotificationDocument): number => compare(placeOf(one), placeOf(other));

/** Whether a notification comes after a place in its list. */
export const beforeCursor = (notification: NotificationDocument, before: Place | null): boolean =>
  before === null || compare(before, placeOf(notification)) < 0;
