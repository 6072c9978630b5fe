import type { Id } from '../shared/ids.js';

/** GET /api/push/key: the public VAPID key in base64url, which browsers subscribe with. */
export interface PushKeyAnswer {
  readonly key: string;
}

/** POST /api/push/subscriptions */
export interface PushSubscriptionAnswer {
  readonly _id: Id;
}

/** What the service worker asks an open page: to open a link of the app without reloading. The page replies on the message's port. */
export interface OpenLink {
  readonly type: 'open-link';
  readonly href: string;
}

/** What a push message contains, as JSON. */
export interface PushPayload {
  readonly title: string;
  readonly body: string;
  /** The path of a png that needs no session. */
  readonly icon: string;
  /** The path of the page that the message is about; null if there is none. */
  readonly href: string | null;
  /** A message replaces the one that the browser shows with the same tag. */
  readonly tag: string;
}
