import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../kernel/event.js';
import type { DocumentStore } from './documents/documents.js';
import type { EventStore } from './event-store/event-store.js';
import type { Opened, OpenedEvents } from './opened-events.js';
import { positionOf, prepareBatch } from './projection-batch.js';
import type { Generation } from './projection-generations.js';
import type { ProjectionLog } from './projection-runner.js';
import { openedPatiently } from './tried-again.js';

/** What pages are read from and applied to. */
export interface PageParts {
  readonly store: EventStore;
  readonly documents: DocumentStore;
  readonly opened: OpenedEvents;
  readonly log: ProjectionLog;
}

/** How generations are brought on: as many events at a time as `page` says, no further than `until` (the end of the log when missing), until the signal aborts. */
export interface Advance {
  readonly page: number;
  readonly signal: AbortSignal;
  readonly until?: Position;
  readonly onPage?: (position: Position) => void;
}

/** Reads and opens pages of the log, each once for all generations that need it, and applies them. */
export class ProjectionPages {
  constructor(private readonly parts: PageParts) {}

  /** Opens a page for generations: what they have all parked is not waited for. */
  open(page: readonly StoredEvent[], generations: readonly Generation[]): Promise<readonly Opened[]> {
    const isGivenUp = ({ stream }: StoredEvent): boolean => generations.every(({ parked }) => parked.has(stream));
    return openedPatiently(this.parts.opened, page, isGivenUp);
  }

  /** Applies a page to the generations that have not seen all of it; `meanwhile` runs while it is being saved. */
  async apply(generations: readonly Generation[], page: readonly Opened[], meanwhile: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const last = page.at(-1);
    const behind = last === undefined ? [] : generations.filter(({ checkpoint }) => checkpoint < positionOf(last));
    const { documents, log } = this.parts;
    const prepared = await Promise.all(
      behind.map((generation) => {
        const events = page.filter((each) => positionOf(each) > generation.checkpoint);
        return prepareBatch({ generation, events, documents, log });
      }),
    );
    // Saved side by side, they share a transaction.
    const saves = await Promise.allSettled([...prepared.map((batch) => batch.save()), nextTurn().then(meanwhile)]);
    for (const save of saves) if (save.status === 'rejected') throw save.reason;
  }

  /** Brings generations to the end of the log together; the next page is read and opened while one is being saved. */
  async advance(generations: readonly Generation[], { page: limit, signal, until = Infinity, onPage }: Advance): Promise<void> {
    if (generations.length === 0) return;
    const read = async (after: Position): Promise<readonly Opened[]> => {
      const wanted = Math.min(limit, until - after);
      return wanted <= 0 ? [] : this.open(await this.parts.store.readAll({ after, limit: wanted }), generations);
    };
    let page = await read(Math.min(...generations.map(({ checkpoint }) => checkpoint)));
    for (let last = page.at(-1); last !== undefined && !signal.aborted; last = page.at(-1)) {
      const reached = positionOf(last);
      let next: readonly Opened[] = [];
      await this.apply(generations, page, async () => {
        next = await read(reached);
      });
      onPage?.(reached);
      page = next;
    }
  }
}
