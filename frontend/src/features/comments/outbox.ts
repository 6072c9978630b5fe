import type { Stamp } from '@roughmix/contracts/comments/comment.events.js';
import type { RegionCategory } from '@roughmix/contracts/shared/categories.js';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { OfflineError, sentenceOf } from '../../shared/api/api-errors';
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
  readonly state: 'sending' | 'failed' | 'sent';
  readonly failure: string | null;
  /** It failed without an answer, and is tried again once there is a network. */
  readonly isUnanswered?: boolean;
  /** The comment that it became. */
  readonly sentAs: Id | null;
}

/** Brings one comment to the server and answers what it became; the file goes along with an image. */
export type Deliver = (outgoing: Outgoing, file: File | undefined) => Promise<Id>;

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

/** By then a list that was told of a comment has drawn it. */
const SHOWN_AFTER_MS = 1_000;
const BROKEN_OFF = 'It is not known whether this arrived.';

/** What was on its way when the page was left may have arrived or not; its key makes another try harmless. */
const afterReload = (kept: readonly Outgoing[]): readonly Outgoing[] =>
  kept.filter(({ kind, state }) => kind === 'text' && state !== 'sent').map((one) => ({ ...one, state: 'failed', failure: one.failure ?? BROKEN_OFF }));

/** Until the comments are shown once, nobody knows how they are brought. */
const noDelivery: Deliver = () => Promise.reject(new Error('nobody brings comments yet'));

class KeptOutbox implements Outbox {
  private items: readonly Outgoing[];
  private deliver: Deliver = noDelivery;
  private readonly files = new Map<string, File>();
  private readonly listeners = new Set<() => void>();
  /** Of two files that wait for their octets the server keeps the newer: images go one after the other. */
  private lastImage: Promise<void> = Promise.resolve();

  constructor(private readonly storageKey: string) {
    this.items = afterReload(readKept<readonly Outgoing[]>(storageKey) ?? []);
    window.addEventListener('online', () => {
      for (const { key, isUnanswered } of this.items) if (isUnanswered) this.retry(key);
    });
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  readonly getSnapshot = () => this.items;

  readonly send = (wish: Wish, file?: File) => {
    const outgoing: Outgoing = { ...wish, key: newCommandId(), at: Date.now(), state: 'sending', failure: null, sentAs: null };
    if (file) this.files.set(outgoing.key, file);
    this.put([...this.items, outgoing]);
    this.bring(outgoing);
  };

  readonly retry = (key: string) => {
    const failed = this.items.find((one) => one.key === key && one.state === 'failed');
    if (failed === undefined) return;
    this.change(key, { state: 'sending', failure: null });
    this.bring(failed);
  };

  readonly drop = (key: string) => {
    this.files.delete(key);
    this.put(this.items.filter((one) => one.key !== key));
  };

  readonly deliverBy = (deliver: Deliver) => {
    this.deliver = deliver;
  };

  private put(items: readonly Outgoing[]) {
    this.items = items;
    writeKept(this.storageKey, items.length === 0 ? null : items);
    for (const listener of this.listeners) listener();
  }

  private change(key: string, changes: Partial<Outgoing>) {
    this.put(this.items.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  }

  private bring(outgoing: Outgoing): void {
    if (outgoing.kind === 'text') void this.bringNow(outgoing);
    else this.lastImage = this.lastImage.then(() => this.bringNow(outgoing));
  }

  private async bringNow(outgoing: Outgoing): Promise<void> {
    try {
      const sentAs = await this.deliver(outgoing, this.files.get(outgoing.key));
      // The list shows the comment a moment later: until then this one holds its place.
      this.change(outgoing.key, { state: 'sent', sentAs });
      setTimeout(() => this.drop(outgoing.key), SHOWN_AFTER_MS);
    } catch (error) {
      this.change(outgoing.key, { state: 'failed', failure: sentenceOf(error), isUnanswered: error instanceof OfflineError });
    }
  }
}

const outboxes = new Map<string, Outbox>();

/** The one outbox of a person's project in this tab: what is on its way goes on when the page is left for another. */
export function outboxOf(uid: Id, projectId: Id): Outbox {
  const key = `roughmix.outbox.${uid}.${projectId}`;
  const outbox = outboxes.get(key) ?? new KeptOutbox(key);
  outboxes.set(key, outbox);
  return outbox;
}
