import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ParkedStream } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { DocumentChange } from '../../kernel/projector.js';
import type { DocumentStore } from '../documents/documents.js';
import { type Held, HeldDocuments } from './held-documents.js';
import type { EventUnreadable, Opened } from '../streams/opened-events.js';
import { type Generation, parkedFact, physicalName } from './projection-generations.js';
import type { ProjectionLog } from './projection-runner.js';
import { triedAgain } from './tried-again.js';

/** What batches are made for. */
export interface BatchParts {
  readonly generation: Generation;
  readonly documents: DocumentStore;
  readonly log: ProjectionLog;
}

interface Step {
  readonly event: StoredEvent;
  readonly changes: readonly DocumentChange[];
  readonly wanted: readonly Held[];
}

/** Longer than this at a time nobody else waits for a turn of the event loop. */
const SLICE_MS = 10;

/** Where an event lies, whether it can be read or not. */
export const positionOf = ({ event, failure }: Opened): Position => (event ?? failure).position;

/** Applies events to the documents they name and saves those together with the checkpoint. An event that fails parks its stream. */
export async function applyBatch({ events, ...parts }: BatchParts & { readonly events: readonly Opened[] }): Promise<void> {
  const batch = new ProjectionBatch(parts);
  await batch.add(events);
  await batch.save();
}

/** What events make of a generation's documents, in memory until it is saved. */
export class ProjectionBatch {
  readonly generation: Generation;
  /** How far its events lead. */
  reached: Position;
  /** How many events it holds. */
  events = 0;
  private readonly documents: DocumentStore;
  private readonly log: ProjectionLog;
  /** The streams that this batch parks. */
  private readonly parks: ParkedStream[] = [];
  private readonly held: HeldDocuments;

  /** @param before the batch that is saved before this one, which goes on where that ends */
  constructor({ generation, documents, log }: BatchParts, before?: ProjectionBatch) {
    const { projector, number, recent, checkpoint } = generation;
    this.generation = generation;
    this.documents = documents;
    this.log = log;
    this.reached = before?.reached ?? checkpoint;
    this.held = new HeldDocuments((collection) => physicalName(collection, projector.version, number), before?.held ?? recent);
  }

  /** How many documents it has changed. */
  get size(): number {
    return this.held.size;
  }

  /** Loads the documents that events name and brings them on. */
  async add(events: readonly Opened[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    const steps = await this.steps(events);
    await this.held.load(this.documents);
    let since = performance.now();
    for (const step of steps) {
      if (!isParked(this.generation, step.event) && !this.applied(step)) await this.applyAfterAll(step);
      if (performance.now() - since > SLICE_MS) since = await afterATurn();
    }
    this.reached = positionOf(last);
    this.events += events.length;
  }

  /** Saves documents and checkpoint together. When that fails nothing of the batch counts: its events come again as they were. */
  async save(): Promise<void> {
    if (this.events === 0) return;
    const { generation, documents, reached, held } = this;
    try {
      if (this.parks.length > 0) await documents.setFact(parkedFact(generation.key), JSON.stringify([...generation.parked.values()]));
      await documents.save({ projector: generation.key, checkpoint: reached, writes: held.writes() });
    } catch (error) {
      this.giveUp();
      throw error;
    }
    generation.checkpoint = reached;
    generation.recent = held;
  }

  /** Forgets what was not saved. */
  giveUp(): void {
    for (const { stream } of this.parks) this.generation.parked.delete(stream);
    this.generation.recent = null;
  }

  private async steps(events: readonly Opened[]): Promise<readonly Step[]> {
    const { handles } = this.generation.projector;
    const steps: Step[] = [];
    let since = performance.now();
    for (const { event, failure } of events) {
      if (failure !== undefined) this.parkUnreadable(failure);
      else if (handles.has(event.type) && !isParked(this.generation, event)) {
        const changes = this.changesOf(event) ?? (await this.changesAfterAll(event));
        if (changes.length > 0) steps.push({ event, changes, wanted: changes.map((change) => this.held.want(change)) });
      }
      if (performance.now() - since > SLICE_MS) since = await afterATurn();
    }
    return steps;
  }

  /** Null when it fails. */
  private changesOf(event: StoredEvent): readonly DocumentChange[] | null {
    try {
      return this.generation.projector.project(event);
    } catch {
      // Tried again by the caller, which tells what it throws.
      return null;
    }
  }

  private async changesAfterAll(event: StoredEvent): Promise<readonly DocumentChange[]> {
    try {
      return await triedAgain(() => this.generation.projector.project(event));
    } catch (error) {
      this.parkFailed(event, error);
      return [];
    }
  }

  /** All changes of an event or none: a change that fails takes the others of its event with it. False when one fails. */
  private applied({ event, changes, wanted }: Step): boolean {
    try {
      this.held.apply(event.position, changes, wanted);
      return true;
    } catch {
      // Tried again by the caller, which tells what it throws.
      return false;
    }
  }

  private async applyAfterAll({ event, changes, wanted }: Step): Promise<void> {
    try {
      await triedAgain(() => this.held.apply(event.position, changes, wanted));
    } catch (error) {
      this.parkFailed(event, error);
    }
  }

  /** An event of a type that nobody knows may be anybody's business; another is that of those who answer to its type. */
  private parkUnreadable(failure: EventUnreadable): void {
    const { stream, position, type, reason } = failure;
    const concerns = reason === 'unknown-type' || this.generation.projector.handles.has(type);
    if (concerns && !isParked(this.generation, failure)) this.park({ stream, position, type, reason }, failure);
  }

  private parkFailed({ stream, position, type }: StoredEvent, error: unknown): void {
    this.park({ stream, position, type, reason: 'projection' }, error);
  }

  private park(parked: ParkedStream, error: unknown): void {
    this.parks.push(parked);
    this.generation.parked.set(parked.stream, parked);
    this.log.error({ err: error, projector: this.generation.projector.name, ...parked }, 'stream parked');
  }
}

/** Events before the one that failed are still taken when they come again. */
const isParked = ({ parked }: Generation, { stream, position }: StoredEvent | EventUnreadable): boolean => {
  if (parked.size === 0) return false;
  const since = parked.get(stream);
  return since !== undefined && since.position <= position;
};

/** Gives the event loop a turn, so that a slow projector costs lag and nobody's requests; answers the time afterwards. */
async function afterATurn(): Promise<number> {
  await nextTurn();
  return performance.now();
}
