import type { Id } from '@roughmix/contracts/shared/ids.js';
import { errorMessage } from '../api/api-errors';
import type { SendOptions } from '../api/client';
import type { Toaster } from '../ui/toast-queue';
import { fadeOut } from './fade-out';

/** How long a removal can be undone before it is sent. Hovering or focusing its toast extends it. */
export const UNDO_MS = 5_000;

type Sending = Pick<SendOptions, 'keepalive'>;

/** A removal that can be undone until it is sent. */
export interface Removal {
  readonly id: Id;
  /** Such as 'Comment removed.' */
  readonly done: string;
  /** Such as 'The comment was not removed.' */
  readonly failed: string;
  /** Sends the command and applies its answer. An item that is already gone counts as removed. */
  readonly send: (options: Sending) => Promise<void>;
  /** The element to fade out; null for none. */
  readonly row?: () => HTMLElement | null;
  /** After the item is shown again. */
  readonly onUndone?: () => void;
}

/** Removals that are not sent or not answered yet. Lists leave these items out. */
export class PendingRemovals {
  readonly #toaster: Toaster;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Map<Id, { readonly removal: Removal; readonly toast: number }>();
  readonly #sending = new Map<Id, Promise<void>>();
  #ids: ReadonlySet<Id> = new Set();

  constructor(toaster: Toaster) {
    this.#toaster = toaster;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** The ids of the items; another set after each change. */
  readonly getSnapshot = (): ReadonlySet<Id> => this.#ids;

  /** Fades the item out, hides it and shows a toast with Undo; sends the command when the toast is gone. */
  remove(removal: Removal): void {
    const { id, done, row } = removal;
    if (this.#waiting.has(id) || this.#sending.has(id)) return;
    const toast = this.#toaster.show({
      message: done,
      action: { label: 'Undo', onPress: () => this.#undo(removal) },
      leavesAfterMs: UNDO_MS,
      onLeft: () => this.#waiting.has(id) && this.#send(removal),
    });
    this.#waiting.set(id, { removal, toast });
    fadeOut(row?.() ?? null, () => this.#changed());
  }

  /** Sends everything that is still waiting; resolves when all of it is answered. `keepalive` if the page is about to close. */
  async flush(options?: Sending): Promise<void> {
    for (const { removal, toast } of this.#waiting.values()) {
      this.#send(removal, options);
      this.#toaster.dismiss(toast);
    }
    await Promise.all(this.#sending.values());
  }

  #undo(removal: Removal): void {
    if (!this.#waiting.delete(removal.id)) return;
    this.#changed();
    removal.onUndone?.();
  }

  #send(removal: Removal, options: Sending = {}): void {
    this.#waiting.delete(removal.id);
    this.#sending.set(removal.id, this.#deliver(removal, options));
    this.#changed();
  }

  async #deliver(removal: Removal, options: Sending): Promise<void> {
    try {
      await removal.send(options);
    } catch (error) {
      const action = { label: 'Retry', onPress: () => this.#send(removal) };
      this.#toaster.show({ kind: 'failed', message: `${removal.failed} ${errorMessage(error)}`, action });
    } finally {
      this.#sending.delete(removal.id);
      this.#changed();
    }
  }

  #changed(): void {
    this.#ids = new Set([...this.#waiting.keys(), ...this.#sending.keys()]);
    for (const listener of this.#listeners) listener();
  }
}
