import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import { allSettled } from '../all-settled.js';
import type { DocumentStore } from '../documents/documents.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Opened, OpenedEvents } from '../streams/opened-events.js';
import { positionOf, ProjectionBatch } from './projection-batch.js';
import { type Generation, parkedStreams } from './projection-generations.js';
import { openWithRetries } from './brief-retries.js';
import { CHUNK_SIZE } from './save-plan.js';
import type { Logger } from '../logger.js';

/** Where pages are read from, and where documents are saved. */
export interface PageDeps {
  readonly store: EventStore;
  readonly documents: DocumentStore;
  readonly opened: OpenedEvents;
  readonly log: Logger;
}

/** How generations are advanced: no further than `until` (the end of the log when missing), until the signal aborts. */
export interface Advance {
  readonly page: number;
  /** A batch is saved when it has this many events or changed documents. */
  readonly batch: number;
  readonly chunkSize?: number;
  readonly signal: AbortSignal;
  readonly until?: Position;
  readonly onPage?: (position: Position) => void;
}

/** More changed documents per event than this are a fan-out. */
const FAN_OUT = 100;
/** How long a fan-out waits before it is saved. */
const GIVE_WAY_MS = 30;

/** Reads and opens each page of the log once for all generations that need it, and applies it to them. */
export class ProjectionPages {
  constructor(private readonly deps: PageDeps) {}

  /** Opens a page. Events of streams that all of the generations have parked are not retried. */
  open(page: readonly StoredEvent[], generations: readonly Generation[]): Promise<readonly Opened[]> {
    const isNotNeeded = ({ stream }: StoredEvent): boolean => generations.every(({ parked }) => parked.has(stream));
    return openWithRetries(this.deps.opened, page, isNotNeeded);
  }

  /**
   * Continues at the stored state, which is further than the one in memory after a save that happened although its answer was lost. An event whose projection
   * reads documents must not be projected again on top of its own changes.
   */
  async resync(generation: Generation): Promise<void> {
    const { documents } = this.deps;
    generation.checkpoint = Math.max(generation.checkpoint, await documents.checkpoint(generation.key));
    for (const each of await parkedStreams(documents, generation.key)) {
      if (each.position <= generation.checkpoint) generation.parked.set(each.stream, each);
    }
  }

  /** Applies a page to the generations that have not seen all of it. */
  async apply(generations: readonly Generation[], page: readonly Opened[]): Promise<void> {
    const batches = this.batchesOf(generations);
    try {
      await addTo(batches, page);
    } catch (error) {
      for (const batch of batches) batch.discard();
      throw error;
    }
    // A fan-out: the answers to the commands behind it, which do not wait for it, are made first.
    if (batches.some(({ size }) => size > FAN_OUT * page.length)) await pause(GIVE_WAY_MS);
    await saveAll(batches);
  }

  /** Advances generations together to the end of the log. While a batch is being saved, the next events are read and applied in memory. */
  async advance(generations: readonly Generation[], { page: limit, batch, chunkSize = CHUNK_SIZE, signal, until = Infinity, onPage }: Advance): Promise<void> {
    if (generations.length === 0) return;
    let batches = this.batchesOf(generations, chunkSize);
    let saving = Promise.resolve();
    try {
      for (let reached = slowestOf(batches); !signal.aborted && reached < until;) {
        const page = await this.open(await this.deps.store.readAll({ after: reached, limit: Math.min(limit, until - reached) }), generations);
        const last = page.at(-1);
        if (last === undefined) break;
        await addTo(batches, page);
        reached = positionOf(last);
        if (isFull(batches, batch)) {
          await saving;
          const saved = (saving = saveAll(batches));
          // The failure is thrown where `saving` is awaited.
          saved.catch(() => undefined);
          batches = batches.map((previous) => new ProjectionBatch({ ...this.deps, generation: previous.generation, chunkSize }, { batch: previous, saved }));
        }
        onPage?.(reached);
        await nextTurn();
      }
      await saving;
    } catch (error) {
      await saving.catch(() => undefined);
      for (const each of batches) each.discard();
      throw error;
    }
    await saveAll(batches);
  }

  private batchesOf(generations: readonly Generation[], chunkSize = CHUNK_SIZE): readonly ProjectionBatch[] {
    return generations.map((generation) => new ProjectionBatch({ ...this.deps, generation, chunkSize }));
  }
}

const slowestOf = (batches: readonly ProjectionBatch[]): Position => Math.min(...batches.map(({ reached }) => reached));

const isFull = (batches: readonly ProjectionBatch[], most: number): boolean => batches.some(({ events, size }) => events >= most || size >= most);

/** Adds to each batch the events after its position. */
async function addTo(batches: readonly ProjectionBatch[], page: readonly Opened[]): Promise<void> {
  for (const batch of batches) {
    const { reached } = batch;
    const isNew = (each: Opened): boolean => positionOf(each) > reached;
    await batch.add(page[0] !== undefined && isNew(page[0]) ? page : page.filter(isNew));
  }
}

/** Saves all at once, so that they share a transaction. */
async function saveAll(batches: readonly ProjectionBatch[]): Promise<void> {
  await allSettled(batches.map((batch) => () => batch.save()));
}
