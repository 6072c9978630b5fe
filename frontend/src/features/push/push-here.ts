import { PUSH_PATHS } from '@roughmix/contracts/push/push.paths.js';
import type { PushKeyAnswer } from '@roughmix/contracts/push/push.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { api } from '../../shared/api/client';
import { lacksHttps } from '../../shared/lacks-https';
import { registerServiceWorker } from '../../shared/register-service-worker';
import { pushOwner, setPushOwner } from './push-owner';

export type PushState = 'no-https' | 'unsupported' | 'denied' | 'off' | 'on';

const WORKER_MS = 15_000;
/** How long a sign-out waits for the push service. */
const SIGN_OUT_MS = 3_000;

/** The browser, or its push service, failed; `message` is for the user. */
export class PushFailed extends Error {
  override readonly name = 'PushFailed';
}

const isSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

const deadline = (milliseconds: number): Promise<undefined> => new Promise((resolve) => void setTimeout(resolve, milliseconds, undefined));

async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** @throws PushFailed without an active service worker */
async function pushManager(): Promise<PushManager> {
  await registerServiceWorker();
  const registration = await Promise.race([navigator.serviceWorker.ready, deadline(WORKER_MS)]);
  if (registration === undefined) throw new PushFailed('The part of Roughmix that receives notifications could not be started. Please reload the page.');
  return registration.pushManager;
}

const toBase64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCodePoint(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The browser's subscription for this key; one for an earlier key is useless. @throws PushFailed if the push service does not give one */
async function subscriptionFor(key: string): Promise<PushSubscription> {
  const manager = await pushManager();
  const before = await manager.getSubscription();
  const keyBefore = before?.options.applicationServerKey ?? null;
  if (before !== null && keyBefore !== null && toBase64Url(keyBefore) === key) return before;
  try {
    await before?.unsubscribe();
    return await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch (error) {
    throw new PushFailed('This browser could not reach its push service. Please try again later.', { cause: error });
  }
}

/** Sends the browser's subscription to the server; sending it again changes nothing. */
async function subscribe(uid: Uid): Promise<void> {
  const { key } = await api.get<PushKeyAnswer>(PUSH_PATHS.key);
  await api.send('POST', PUSH_PATHS.subscriptions, await subscriptionFor(key));
  setPushOwner(uid);
}

/** Whether this browser gets the user's push messages. */
export async function pushState(uid: Uid): Promise<PushState> {
  if (lacksHttps()) return 'no-https';
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return pushOwner() === uid && (await subscriptionHere()) !== null ? 'on' : 'off';
}

/** Asks the browser's user for permission first, so it must follow a press. Without permission nothing changes. @throws PushFailed, ApiProblem, OfflineError */
export async function turnOn(uid: Uid): Promise<void> {
  if ((await Notification.requestPermission()) === 'granted') await subscribe(uid);
}

/** @throws ApiProblem, OfflineError: still on */
export async function turnOff(): Promise<void> {
  const subscription = await subscriptionHere();
  if (subscription !== null) await api.send('DELETE', PUSH_PATHS.subscriptions, { endpoint: subscription.endpoint });
  setPushOwner(null);
  await subscription?.unsubscribe();
}

/** Ends the browser's subscription with the session, which ends it on the server. */
export async function endPushes(): Promise<void> {
  setPushOwner(null);
  await Promise.race([subscriptionHere().then((subscription) => subscription?.unsubscribe()), deadline(SIGN_OUT_MS)]);
}

/**
 * Tells the server again where the user's push messages go: the session may be a new one, and the browser or the server may have another key. What another
 * user left behind, or what the browser no longer permits, ends.
 */
export async function keepPushes(uid: Uid): Promise<void> {
  if (!isSupported()) return;
  if (pushOwner() === uid && Notification.permission === 'granted') await subscribe(uid);
  else await endPushes();
}
