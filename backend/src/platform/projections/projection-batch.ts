import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { DocumentChange, Found, Read } from '../../kernel/projector.js';
import type { DocumentStore } from '../documents/documents.js';
import type { Opened } from '../streams/opened-events.js';
import { declaredReads } from './declared-reads.js';
import { type BatchDocument, BatchDocuments } from './batch-documents.js';
import { Parking } from './parking.js';
import { type Generation, physicalName } from './projection-generations.js';
import { retryBriefly } from './brief-retries.js';
import { savePlanned, saveChunks, CHUNK_SIZE, chunksOf } from './save-plan.js';
import type { Logger } from '../logger.js';

/** The generation to change, and where its documents are saved. */
export interface BatchDeps {
  readonly generation: Generation;
  readonly documents: DocumentStore;
  readonly log: Logger;
  /** How many documents are saved at a time; by default {@link CHUNK_SIZE}. */
  readonly chunkSize?: number;
}

/** The batch before this one, which may still be being saved. */
export interface PreviousBatch {
  readonly batch: ProjectionBatch;
  /** Settles when it is saved. */
  readonly saved: Promise<void>;
}

interface Step {
  readonly event: StoredEvent;
  readonly changes: readonly DocumentChange[];
  readonly wanted: readonly BatchDocument[];
}

/** How long a batch runs before it yields to the event loop. */
const TURN_MS = 10;
/** An event with more changes than this is applied in several turns of the event loop. */
const MANY_CHANGES = 500;
/** Maximum of changed documents: a larger batch is saved before it takes more events. */
const MAX_CHANGED = 10_000;
/** A search compares all changed documents of its collection; if there are more than this, the batch is saved first. */
const MAX_COMPARED = 1_000;

/** The position of an event, whether it can be read or not. */
export const positionOf = ({ event, failure }: Opened): Position => (event ?? failure).position;

/** Applies events to documents and saves these together with the checkpoint. An event that fails parks its stream. */
export async function applyBatch({ events, ...deps }: BatchDeps & { readonly events: readonly Opened[] }): Promise<void> {
  const batch = new ProjectionBatch(deps);
  await batch.add(events);
  await batch.save();
}

/** The changes of events to a generation's documents, in memory until they are saved. */
export class ProjectionBatch {
  readonly generation: Generation;
  /** The position up to which it has handled events. */
  reached: Position;
  events = 0;
  private readonly documents: DocumentStore;
  private readonly chunkSize: number;
  private readonly ready: Promise<void>;
  private readonly parking: Parking;
  private changes: BatchDocuments;
  /** Whether the projection of one of its events has read documents. */
  private hasRead = false;

  constructor({ generation, documents, log, chunkSize = CHUNK_SIZE }: BatchDeps, previous?: PreviousBatch) {
    this.generation = generation;
    this.documents = documents;
    this.parking = new Parking(generation, log);
    this.chunkSize = chunkSize;
    this.ready = previous?.saved ?? Promise.resolve();
    this.reached = previous?.batch.reached ?? generation.checkpoint;
    this.changes = this.documentsAfter(previous?.batch.changes ?? generation.recent);
  }

  get size(): number {
    return this.changes.size;
  }

  /** Loads the documents that the events change and applies the events. A batch that becomes too large is saved before it takes more. */
  async add(events: readonly Opened[]): Promise<void> {
    const { readingTypes } = this.generation.projector;
    let plain: Opened[] = [];
    for (const opened of events) {
      if (opened.event === undefined || !readingTypes.has(opened.event.type)) {
        plain.push(opened);
        continue;
      }
      await this.addPlain(plain);
      plain = [];
      await this.addReading(opened.event);
    }
    await this.addPlain(plain);
  }

  /** Saves documents and checkpoint together. If that fails, the whole batch is discarded and its events are delivered again. */
  async save(): Promise<void> {
    if (this.events === 0) return;
    const { generation, documents, reached, changes } = this;
    try {
      await this.parking.save(documents);
      const batch = { key: generation.key, from: generation.checkpoint, to: reached, chunks: chunksOf(changes.writes(), this.chunkSize) };
      await (this.hasRead ? savePlanned : saveChunks)(documents, batch);
    } catch (error) {
      this.discard();
      throw error;
    }
    generation.checkpoint = reached;
    generation.recent = changes;
  }

  discard(): void {
    this.parking.undo();
    this.generation.recent = null;
  }

  private documentsAfter(previous: BatchDocuments | null): BatchDocuments {
    const { projector, number } = this.generation;
    return new BatchDocuments((collection) => physicalName(collection, projector.version, number), previous);
  }

  private async addPlain(events: readonly Opened[]): Promise<void> {
    for (let at = 0; at < events.length;) {
      if (this.changes.size >= MAX_CHANGED) await this.saveEarly(this.changes);
      const { steps, next } = await this.steps(events, at);
      await this.changes.load(this.documents);
      let since = performance.now();
      for (const step of steps) {
        if (!this.parking.isParked(step.event)) await this.apply(step);
        if (performance.now() - since > TURN_MS) since = await yieldTurn();
      }
      this.advance(events[next - 1], next - at);
      at = next;
    }
  }

  private async addReading(event: StoredEvent): Promise<void> {
    if (this.parking.isParked(event)) return this.advance({ event }, 1);
    if (this.changes.size >= MAX_CHANGED) await this.saveEarly(this.changes);
    const { projector } = this.generation;
    const reads = await this.withRetries(event, () => declaredReads(projector, projector.reads(event)));
    // A failure of the store fails the batch and says nothing about the event.
    const found = reads === null ? null : await this.found(event, reads);
    const changes = found === null ? null : await this.withRetries(event, () => projector.project(event, found));
    if (changes !== null && changes.length > 0) {
      this.hasRead = true;
      const wanted = changes.map((change) => this.changes.want(change));
      await this.changes.load(this.documents);
      await this.apply({ event, changes, wanted });
    }
    this.advance({ event }, 1);
  }

  private async found({ position }: StoredEvent, reads: readonly Read[]): Promise<Found> {
    const found: Found[number][] = [];
    for (const read of reads) {
      if ('where' in read && this.changes.changesIn(read.collection) > MAX_COMPARED) await this.saveEarly(null);
      found.push(
        'where' in read
          ? await this.changes.search(this.documents, { collection: read.collection, ...read.where }, position)
          : await this.changes.read(this.documents, read, position),
      );
    }
    return found;
  }

  /** @param previous documents that later events need not load again */
  private async saveEarly(previous: BatchDocuments | null): Promise<void> {
    await this.ready;
    await this.save();
    this.events = 0;
    this.parking.confirm();
    this.hasRead = false;
    this.changes = this.documentsAfter(previous);
  }

  private advance(last: Opened | undefined, events: number): void {
    if (last !== undefined) this.reached = positionOf(last);
    this.events += events;
  }

  /** Projects events, starting at an index, until the batch is full. `next` is the index of the first event that was not projected. */
  private async steps(events: readonly Opened[], from: number): Promise<{ readonly steps: readonly Step[]; readonly next: number }> {
    const { handles } = this.generation.projector;
    const steps: Step[] = [];
    let changed = 0;
    let next = from;
    for (let since = performance.now(); next < events.length && changed < MAX_CHANGED; next += 1) {
      const { event, failure } = events[next] ?? {};
      if (failure !== undefined) this.parking.unreadable(failure);
      else if (event !== undefined && handles.has(event.type) && !this.parking.isParked(event)) {
        const changes = this.changesOf(event) ?? (await this.withRetries(event, () => this.generation.projector.project(event))) ?? [];
        if (changes.length > 0) steps.push({ event, changes, wanted: changes.map((change) => this.changes.want(change)) });
        changed += changes.length;
      }
      if (performance.now() - since > TURN_MS) since = await yieldTurn();
    }
    return { steps, next };
  }

  /** Null if it fails: the caller retries and reports the error. */
  private changesOf(event: StoredEvent): readonly DocumentChange[] | null {
    try {
      return this.generation.projector.project(event);
    } catch {
      return null;
    }
  }

  /** All changes of an event or none: a failing change undoes the others of its event. */
  private async apply({ event, changes, wanted }: Step): Promise<void> {
    const isMany = changes.length > MANY_CHANGES;
    try {
      if (!isMany) return this.changes.apply(event.position, changes, wanted);
    } catch {
      // Retried below, where the error is reported.
    }
    await this.withRetries(event, () =>
      isMany ? this.changes.applyMany(event.position, changes, wanted) : this.changes.apply(event.position, changes, wanted),
    );
  }

  /** The result of `work`, with up to two retries; if it still fails, parks the event's stream and returns null. */
  private async withRetries<Answer>(event: StoredEvent, work: () => Answer | Promise<Answer>): Promise<Answer | null> {
    try {
      return await retryBriefly(work);
    } catch (error) {
      this.parking.failed(event, error);
      return null;
    }
  }
}

/** Yields to the event loop, so that a slow projector does not delay requests. Returns the time after that. */
async function yieldTurn(): Promise<number> {
  await nextTurn();
  return performance.now();
}
