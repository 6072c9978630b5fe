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
import { savePlanned, saveSlices, SLICE, slicesOf } from './save-plan.js';
import type { Logger } from '../logger.js';

/** The generation to change, and where its documents are saved. */
export interface BatchDeps {
  readonly generation: Generation;
  readonly documents: DocumentStore;
  readonly log: Logger;
  /** How many documents are saved at a time; by default {@link SLICE}. */
  readonly slice?: number;
}

/** The batch that is saved before another, which continues where it ends. */
export interface BatchBefore {
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
const MANY = 500;
/** Maximum of changed documents: a larger batch is saved before it takes more events. */
const MOST = 10_000;
/** A search compares all changed documents of its collection; if there are more than this, the batch is saved first. */
const MOST_COMPARED = 1_000;

/** The position of an event, whether it can be read or not. */
export const positionOf = ({ event, failure }: Opened): Position => (event ?? failure).position;

/** Applies events to the documents they name and saves those together with the checkpoint. An event that fails parks its stream. */
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
  private readonly slice: number;
  private readonly ready: Promise<void>;
  private readonly parking: Parking;
  private changes: BatchDocuments;
  /** Whether the projection of one of its events has read documents. */
  private hasRead = false;

  constructor({ generation, documents, log, slice = SLICE }: BatchDeps, before?: BatchBefore) {
    this.generation = generation;
    this.documents = documents;
    this.parking = new Parking(generation, log);
    this.slice = slice;
    this.ready = before?.saved ?? Promise.resolve();
    this.reached = before?.batch.reached ?? generation.checkpoint;
    this.changes = this.documentsAfter(before?.batch.changes ?? generation.recent);
  }

  get size(): number {
    return this.changes.size;
  }

  /** Loads the documents that events name and applies the events. A batch that gets too large is saved on the way. */
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
      const batch = { key: generation.key, from: generation.checkpoint, to: reached, slices: slicesOf(changes.writes(), this.slice) };
      await (this.hasRead ? savePlanned : saveSlices)(documents, batch);
    } catch (error) {
      this.giveUp();
      throw error;
    }
    generation.checkpoint = reached;
    generation.recent = changes;
  }

  giveUp(): void {
    this.parking.giveUp();
    this.generation.recent = null;
  }

  private documentsAfter(before: BatchDocuments | null): BatchDocuments {
    const { projector, number } = this.generation;
    return new BatchDocuments((collection) => physicalName(collection, projector.version, number), before);
  }

  private async addPlain(events: readonly Opened[]): Promise<void> {
    for (let at = 0; at < events.length;) {
      if (this.changes.size >= MOST) await this.saveEarly(this.changes);
      const { steps, next } = await this.steps(events, at);
      await this.changes.load(this.documents);
      let since = performance.now();
      for (const step of steps) {
        if (!this.parking.isParked(step.event)) await this.apply(step);
        if (performance.now() - since > TURN_MS) since = await afterATurn();
      }
      this.took(events[next - 1], next - at);
      at = next;
    }
  }

  private async addReading(event: StoredEvent): Promise<void> {
    if (this.parking.isParked(event)) return this.took({ event }, 1);
    if (this.changes.size >= MOST) await this.saveEarly(this.changes);
    const { projector } = this.generation;
    const reads = await this.retried(event, () => declaredReads(projector, projector.reads(event)));
    // A failure of the store fails the batch and says nothing about the event.
    const found = reads === null ? null : await this.found(event, reads);
    const changes = found === null ? null : await this.retried(event, () => projector.project(event, found));
    if (changes !== null && changes.length > 0) {
      this.hasRead = true;
      const wanted = changes.map((change) => this.changes.want(change));
      await this.changes.load(this.documents);
      await this.apply({ event, changes, wanted });
    }
    this.took({ event }, 1);
  }

  private async found({ position }: StoredEvent, reads: readonly Read[]): Promise<Found> {
    const found: Found[number][] = [];
    for (const read of reads) {
      if ('where' in read && this.changes.changesIn(read.collection) > MOST_COMPARED) await this.saveEarly(null);
      found.push(
        'where' in read
          ? await this.changes.search(this.documents, { collection: read.collection, ...read.where }, position)
          : await this.changes.read(this.documents, read, position),
      );
    }
    return found;
  }

  /** @param before the documents that later events need not load again */
  private async saveEarly(before: BatchDocuments | null): Promise<void> {
    await this.ready;
    await this.save();
    this.events = 0;
    this.parking.keep();
    this.hasRead = false;
    this.changes = this.documentsAfter(before);
  }

  private took(last: Opened | undefined, events: number): void {
    if (last !== undefined) this.reached = positionOf(last);
    this.events += events;
  }

  /** The changes of events from an index on, until the batch is full; `next` is the index after the last one. */
  private async steps(events: readonly Opened[], from: number): Promise<{ readonly steps: readonly Step[]; readonly next: number }> {
    const { handles } = this.generation.projector;
    const steps: Step[] = [];
    let changed = 0;
    let next = from;
    for (let since = performance.now(); next < events.length && changed < MOST; next += 1) {
      const { event, failure } = events[next] ?? {};
      if (failure !== undefined) this.parking.unreadable(failure);
      else if (event !== undefined && handles.has(event.type) && !this.parking.isParked(event)) {
        const changes = this.changesOf(event) ?? (await this.retried(event, () => this.generation.projector.project(event))) ?? [];
        if (changes.length > 0) steps.push({ event, changes, wanted: changes.map((change) => this.changes.want(change)) });
        changed += changes.length;
      }
      if (performance.now() - since > TURN_MS) since = await afterATurn();
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
    const isMany = changes.length > MANY;
    try {
      if (!isMany) return this.changes.apply(event.position, changes, wanted);
    } catch {
      // Retried below, where the error is reported.
    }
    await this.retried(event, () => (isMany ? this.changes.applyMany(event.position, changes, wanted) : this.changes.apply(event.position, changes, wanted)));
  }

  /** The result of `work`, with up to two retries; if it still fails, parks the event's stream and returns null. */
  private async retried<Answer>(event: StoredEvent, work: () => Answer | Promise<Answer>): Promise<Answer | null> {
    try {
      return await retryBriefly(work);
    } catch (error) {
      this.parking.failed(event, error);
      return null;
    }
  }
}

/** Yields to the event loop, so a slow projector delays no request. Returns the time afterwards. */
async function afterATurn(): Promise<number> {
  await nextTurn();
  return performance.now();
}
