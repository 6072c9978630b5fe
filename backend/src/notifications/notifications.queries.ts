import { Injectable } from '@nestjs/common';
import { NOTIFICATION_SETS, type NotificationSet } from '@roughmix/contracts/notifications/notification.types.js';
import {
  NO_NOTIFICATIONS,
  type NotificationCounts,
  type NotificationsAnswer,
  type NotificationView,
} from '@roughmix/contracts/notifications/notification.view.js';
import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { type NamingNotification, NotificationViewsQueries } from './notification-views.queries.js';
import { NOTIFICATION_RULES } from './notification-rules.js';
import { beforeCursor, cursorOf, type ListRequest, newestFirst, type Place, placeOf } from './notification-lists.js';
import { cardId, EMPTY_INBOX, type InboxDocument, INBOXES, isUnread, listOf, type NotificationDocument, NOTIFICATIONS } from './notifications.documents.js';

/** The types of events that may make notifications: what a reactor that pushes or emails them handles. */
export const NOTIFYING_EVENTS: ReadonlySet<string> = new Set(Object.keys(NOTIFICATION_RULES));

/** By how much the clocks of two processes may differ. */
const CLOCK_SKEW_MS = 10 * 60_000;
/** The most notifications of one event that are read at once. */
const PAGE = 500;

/** Notifications and their counts. */
@Injectable()
export class NotificationsQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly views: NotificationViewsQueries,
  ) {}

  /** A page of a user's notifications, newest first. */
  async list(uid: Uid, request: ListRequest): Promise<NotificationsAnswer> {
    const position = this.reads.readTo(INBOXES);
    const inbox = await this.inboxOf(uid);
    const { limit } = request;
    if (request.checklist) return { ...(await this.cardOnly(uid, inbox)), position };
    const found = request.unread ? await this.unread(uid, inbox, request) : await this.page(listOf(uid, request.set, false), request.before, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next = found.length > limit && last !== undefined ? cursorOf(last) : null;
    return { notifications: await this.views.views(page, () => inbox), counts: countsOf(inbox), next, position };
  }

  async counts(uid: Uid): Promise<NotificationCounts> {
    return countsOf(await this.inboxOf(uid));
  }

  async inboxOf(uid: Uid): Promise<InboxDocument> {
    return (await this.reads.get<InboxDocument>(INBOXES, uid)) ?? EMPTY_INBOX;
  }

  /** Those of the notifications that are the user's own, in the given order. */
  async ownedBy(uid: Uid, notificationIds: readonly Id[]): Promise<readonly NotificationDocument[]> {
    return (await this.reads.getMany<NotificationDocument>(NOTIFICATIONS, notificationIds)).filter(({ receiverId }) => receiverId === uid);
  }

  /** A user's welcome card; null if there is none. */
  async card(uid: Uid): Promise<NotificationDocument | null> {
    return this.reads.get<NotificationDocument>(NOTIFICATIONS, cardId(uid));
  }

  async view(notification: NotificationDocument): Promise<{ readonly view: NotificationView | null; readonly counts: NotificationCounts }> {
    const inbox = await this.inboxOf(notification.receiverId);
    const [view = null] = await this.views.views([notification], () => inbox);
    return { view, counts: countsOf(inbox) };
  }

  /** What the event at a position made, for everyone. */
  async documentsMadeAt(position: Position): Promise<readonly NotificationDocument[]> {
    const made: NotificationDocument[] = [];
    for (;;) {
      const last = made.at(-1);
      const after = last === undefined ? {} : { after: { id: last.notificationId } };
      const page = await this.reads.find<NotificationDocument>(NOTIFICATIONS, { where: { field: 'madeAt', value: position }, limit: PAGE, ...after });
      made.push(...page);
      if (page.length < PAGE) return made;
    }
  }

  /**
   * What the event at a position made, one for each receiver, once the read model holds the event: for reactors that push or email. A rebuild makes the same
   * notifications again without any event, so no reactor runs. @throws Refused `store.away` when that takes over 2 s
   */
  async madeAt(position: Position): Promise<readonly NotificationView[]> {
    return (await this.namedAt(position)).map(({ view }) => view);
  }

  /** As {@link madeAt}, each with the people it names. */
  namedAt(position: Position): Promise<readonly NamingNotification[]> {
    return this.reads.asOf(position, async () => {
      const made = await this.documentsMadeAt(position);
      const inboxes = await this.reads.getManyById<InboxDocument>(
        INBOXES,
        made.map(({ receiverId }) => receiverId),
      );
      return this.views.named(made, (uid) => inboxes.get(uid) ?? EMPTY_INBOX);
    });
  }

  /**
   * What became unread after a position, up to another one, and still is, without UsersNew: the newest ones, and how many there are.
   * @param isWanted leaves others out
   * @throws Refused `store.away` when reaching that position takes over 2 s
   */
  unreadBetween(uid: Uid, span: PositionSpan, { limit, isWanted }: WantedNews): Promise<UnreadNews> {
    return this.reads.asOf(span.until, async () => {
      const inbox = await this.inboxOf(uid);
      const unread = await this.unread(uid, inbox, { before: null, limit: Infinity, set: null });
      const news: NotificationDocument[] = [];
      for (const each of unread) {
        const isNew = each.type !== 'UsersNew' && each.madeAt > span.after && each.madeAt <= span.until;
        if (isNew && (await isWanted(each))) news.push(each);
      }
      return { newest: await this.views.named(news.slice(0, limit), () => inbox), count: news.length };
    });
  }

  /** How many of these notifications are the user's own, unread and about something that is still there. */
  async unreadAmong(uid: Uid, notificationIds: readonly Id[]): Promise<number> {
    const inbox = await this.inboxOf(uid);
    const views = await this.views.views(await this.ownedBy(uid, notificationIds), () => inbox);
    return views.filter(({ isUnread: isNew, gone }) => isNew && !gone).length;
  }

  /** The ids that a dismissal marked as read; null if there are more than `most`, or if it is too old to tell. */
  async dismissedBy(uid: Uid, set: NotificationSet, position: Position, most: number): Promise<readonly Id[] | null> {
    const dismissals = (await this.inboxOf(uid)).dismissals[set];
    const at = dismissals.findIndex((each) => each.position === position);
    if (at === -1) return null;
    const since = dismissals[at - 1]?.position ?? 0;
    const isDismissed = ({ type, madeAt }: NotificationDocument): boolean => type !== 'UsersNew' && madeAt > since && madeAt < position;
    const found = await this.walk(listOf(uid, set, true), { before: null, limit: most + 1, until: dismissals[at - 1]?.at }, isDismissed);
    return found.length > most ? null : found.map(({ notificationId }) => notificationId);
  }

  /** The streams of the events that made a user's notifications after a position; null if there are too many to tell. */
  async streamsSince(uid: Uid, after: Position, most: number): Promise<readonly string[] | null> {
    const found = await this.page(listOf(uid, null, false), null, most);
    const made = found.filter(({ madeAt }) => madeAt > after);
    return made.length === most ? null : [...new Set(made.map(({ stream }) => stream))];
  }

  private async cardOnly(uid: Uid, inbox: InboxDocument): Promise<Omit<NotificationsAnswer, 'position'>> {
    const card = inbox.isCardUnread ? await this.card(uid) : null;
    return { notifications: await this.views.views(card === null ? [] : [card], () => inbox), counts: countsOf(inbox), next: null };
  }

  /** Unread ones of one set or of both, newest first: one more than `limit` if there are more. */
  private async unread(uid: Uid, inbox: InboxDocument, request: UnreadRequest): Promise<readonly NotificationDocument[]> {
    const { before, limit, set } = request;
    const sets = set === null ? NOTIFICATION_SETS : [set];
    const isWanted = (each: NotificationDocument): boolean => isUnread(each, inbox);
    const lists = sets.map((each) => this.walk(listOf(uid, each, true), { before, limit: limit + 1, until: inbox.dismissals[each].at(-1)?.at }, isWanted));
    // A dismissal skips the card, so it may be older than everything else that is unread.
    const card = inbox.isCardUnread && sets.includes('other') ? await this.card(uid) : null;
    const cards = card !== null && isWanted(card) && beforeCursor(card, before) ? [card] : [];
    const found = new Map([...(await Promise.all(lists)).flat(), ...cards].map((each) => [each.notificationId, each]));
    return [...found.values()].toSorted(newestFirst);
  }

  /** Notifications of a list that are wanted. Those older than `until`, apart from differing clocks, are not looked at. */
  private async walk(
    list: string,
    { before, limit, until }: Walk,
    isWanted: (each: NotificationDocument) => boolean,
  ): Promise<readonly NotificationDocument[]> {
    const found: NotificationDocument[] = [];
    const size = Math.min(limit, PAGE);
    for (let from = before; ;) {
      const page = await this.page(list, from, size);
      found.push(...page.filter(isWanted));
      const last = page.at(-1);
      if (found.length >= limit || page.length < size || last === undefined || last.dateAdded < (until ?? -Infinity) - CLOCK_SKEW_MS) return found;
      from = placeOf(last);
    }
  }

  private page(list: string, before: Place | null, limit: number): Promise<readonly NotificationDocument[]> {
    const after = before === null ? {} : { after: { id: before.id, sort: before.dateAdded } };
    return this.reads.find<NotificationDocument>(NOTIFICATIONS, { where: { field: 'lists', value: list }, sort: 'descending', limit, ...after });
  }
}

interface UnreadRequest {
  readonly before: Place | null;
  readonly limit: number;
  readonly set: NotificationSet | null;
}

/** Positions in the log: `after` is not in it, `until` is. */
export interface PositionSpan {
  readonly after: Position;
  readonly until: Position;
}

/** What tells whether a user wants to hear of a notification. */
export type News = Pick<NotificationDocument, 'notificationId' | 'projectId' | 'subject'>;

/** Which news, and how many of the newest are shown. */
interface WantedNews {
  readonly limit: number;
  readonly isWanted: (news: News) => Promise<boolean>;
}

interface UnreadNews {
  readonly newest: readonly NamingNotification[];
  readonly count: number;
}

interface Walk {
  readonly before: Place | null;
  readonly limit: number;
  readonly until?: Instant | undefined;
}

const countsOf = ({ unread }: InboxDocument): NotificationCounts => ({ ...NO_NOTIFICATIONS, ...unread });
