import { PUSH_PATHS } from '@roughmix/contracts/push/push.paths.js';
import type { OpenLink, PushKeyAnswer, PushPayload } from '@roughmix/contracts/push/push.view.js';

declare const self: ServiceWorkerGlobalScope;

/** Opens for a notification that leads nowhere. */
const START = '/projects';
/** How long a page may take to say that it opens a link. A page that is not the app's never does. */
const ANSWER_MS = 1_000;
const REQUEST_MS = 15_000;

const show = ({ title, body, icon, href, tag }: PushPayload): Promise<void> =>
  self.registration.showNotification(title, { body, icon, tag, data: href ?? START });

/** Whether a page opens the link; it replies at once if it can. */
function isOpenedBy(page: Client, href: string): Promise<boolean> {
  const { port1: ours, port2: theirs } = new MessageChannel();
  return new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), ANSWER_MS);
    ours.addEventListener('message', () => resolve(true));
    ours.start();
    page.postMessage({ type: 'open-link', href } satisfies OpenLink, [theirs]);
  }).finally(() => ours.close());
}

/** Opens the link in the tab of the app that was used last; without one, in a new window. */
async function open(href: string): Promise<void> {
  for (const page of await self.clients.matchAll({ type: 'window', includeUncontrolled: true })) {
    if (!(await isOpenedBy(page, href))) continue;
    await page.focus();
    return;
  }
  await self.clients.openWindow(href);
}

async function subscribe(): Promise<PushSubscription | null> {
  const answer = await fetch(PUSH_PATHS.key, { signal: AbortSignal.timeout(REQUEST_MS) });
  if (!answer.ok) return null;
  const { key } = (await answer.json()) as PushKeyAnswer;
  return self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** The browser has replaced its subscription, or dropped it. Until the server knows the new one, nothing arrives; the page sends it too when it is next opened. */
async function renew(renewed: PushSubscription | null): Promise<void> {
  const subscription = renewed ?? (await subscribe());
  if (subscription === null) return;
  const headers = { 'Content-Type': 'application/json' };
  await fetch(PUSH_PATHS.subscriptions, { method: 'POST', headers, body: JSON.stringify(subscription), signal: AbortSignal.timeout(REQUEST_MS) });
}

/** Shows push messages, and opens what they are about. */
export function receivePushes(): void {
  self.addEventListener('push', (event) => event.waitUntil(show(event.data?.json() as PushPayload)));
  self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(open(String(event.notification.data)));
  });
  self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event.newSubscription)));
}
