import type { Stamp } from '@roughmix/contracts/comments/comment.events.js';
import type { RegionCategory } from '@roughmix/contracts/shared/categories.js';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { sentenceOf } from '../../shared/api/api-errors';
import { newCommandId } from '../../shared/api/own-commands';
import { readKept, writeKept } from './kept-drafts';

/** The region that goes along with a comment. */
export interface OutgoingTag {
  readonly _id: Id;
  readonly tag: RegionCategory;
  readonly start: number;
  readonly end: number;
}

/** What somebody sent, for the server. */
export interface Wish {
  readonly kind: 'text' | 'image';
  /** null for a comment of its own. */
  readonly parentId: Id | null;
  /** The wire's text, or the image's file name. */
  readonly content: string;
  readonly versionId: Id | null;
  readonly stamp: Stamp | null;
  readonly region: OutgoingTag | null;
}

/** A comment that is on its way, or that did not arrive. */
export interface Outgoing extends Wish {
  /** Its Idempotency-Key: the same for every try. */
  readonly key: string;
  readonly at: Instant;
  readonly state: 'sending' | 'failed';
  readonly failure: string | null;
}

/** Brings one comment to the server; the file goes along with an image. */
export type Deliver = (outgoing: Outgoing, file: File | undefined) => Promise<void>;

export interface Outbox {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => readonly Outgoing[];
  readonly send: (wish: Wish, file?: File) => void;
  /** Tries a failed one again, under the key it had. */
  readonly retry: (key: string) => void;
  readonly drop: (key: string) => void;
  /** Says how comments are brought from now on. */
  readonly deliverBy: (deliver: Deliver) => void;
}

const BROKEN_OFF = 'It is not known whether this arrived.';

/** What was on its way when the page was left may have arrived or not; its key makes another try harmless. */
const afterReload = (kept: readonly Outgoing[]): readonly Outgoing[] =>
  kept.filter(({ kind }) => kind === 'text').map((one) => ({ ...one, state: 'failed', failure: one.failure ?? BROKEN_OFF }));

function createOutbox(storageKey: string): Outbox {
  let items = afterReload(readKept<readonly Outgoing[]>(storageKey) ?? []);
  let deliver: Deliver = () => Promise.reject(new Error('nobody brings comments yet'));
  const files = new Map<string, File>();
  const listeners = new Set<() => void>();

  const put = (next: readonly Outgoing[]) => {
    items = next;
    writeKept(storageKey, next.length === 0 ? null : next);
    for (const listener of listeners) listener();
  };
  const change = (key: string, changes: Partial<Outgoing>) => put(items.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  const drop = (key: string) => {
    files.delete(key);
    put(items.filter((one) => one.key !== key));
  };
  const bring = async (outgoing: Outgoing) => {
    try {
      await deliver(outgoing, files.get(outgoing.key));
      drop(outgoing.key);
    } catch (error) {
      change(outgoing.key, { state: 'failed', failure: sentenceOf(error) });
    }
  };
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getSnapshot: () => items,
    send: (wish, file) => {
      const outgoing: Outgoing = { ...wish, key: newCommandId(), at: Date.now(), state: 'sending', failure: null };
      if (file) files.set(outgoing.key, file);
      put([...items, outgoing]);
      void bring(outgoing);
    },
    retry: (key) => {
      const failed = items.find((one) => one.key === key && one.state === 'failed');
      if (failed === undefined) return;
      change(key, { state: 'sending', failure: null });
      void bring({ ...failed, state: 'sending', failure: null });
    },
    drop,
    deliverBy: (next) => {
      deliver = next;
    },
  };
}

const outboxes = new Map<string, Outbox>();

/** The one outbox of a person's project in this tab: what is on its way goes on when the page is left for another. */
export function outboxOf(uid: Id, projectId: Id): Outbox {
  const key = `roughmix.outbox.${uid}.${projectId}`;
  const outbox = outboxes.get(key) ?? createOutbox(key);
  outboxes.set(key, outbox);
  return outbox;
}
