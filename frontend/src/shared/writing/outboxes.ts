import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { type Deliver, type Outbox, StoredOutbox } from './outbox';
import { storageKey } from './tab-storage';

/** The outboxes of one account in this tab. */
export interface Outboxes {
  /** The outbox of a scope, opened with `deliver` the first time. Items of one scope have one type. */
  readonly open: <T>(scope: string, createDeliver: () => Deliver<T>) => Outbox<T>;
  /** Delivers until the returned function is called, which also aborts deliveries in flight. */
  readonly start: () => () => void;
}

type AnyOutbox = Pick<StoredOutbox<unknown>, 'start' | 'stop' | 'hasUnanswered' | 'retryUnanswered'>;

/** @param isSignedIn asks the server whether this account is still the one that the browser is signed in with */
export function createOutboxes(uid: Uid, isSignedIn: () => Promise<boolean>): Outboxes {
  const opened = new Map<string, AnyOutbox>();
  let isRunning = false;

  /** Another tab may have signed in another account, and commands are sent with the browser's cookie. */
  const retryUnanswered = async () => {
    const waiting = [...opened.values()].filter((outbox) => outbox.hasUnanswered());
    if (waiting.length === 0 || !(await isSignedIn()) || !isRunning) return;
    for (const outbox of waiting) outbox.retryUnanswered();
  };
  const onOnline = () => void retryUnanswered();

  return {
    open: <T>(scope: string, createDeliver: () => Deliver<T>) => {
      const known = opened.get(scope);
      if (known !== undefined) return known as StoredOutbox<T>;
      const outbox = new StoredOutbox<T>(storageKey('outbox', uid, scope), createDeliver());
      opened.set(scope, outbox);
      if (isRunning) outbox.start();
      return outbox;
    },
    start: () => {
      isRunning = true;
      for (const outbox of opened.values()) outbox.start();
      window.addEventListener('online', onOnline);
      return () => {
        isRunning = false;
        window.removeEventListener('online', onOnline);
        for (const outbox of opened.values()) outbox.stop();
      };
    },
  };
}
