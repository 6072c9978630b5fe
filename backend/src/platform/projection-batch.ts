import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ParkedStream } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../kernel/event.js';
import type { DocumentChange } from '../kernel/projector.js';
import type { DocumentStore } from './documents/documents.js';
import { HeldDocuments } from './held-documents.js';
import type { EventUnreadable, Opened } from './opened-events.js';
import { type Generation, parkedFact, physicalName } from './projection-generations.js';
import type { ProjectionLog } from './projection-runner.js';
import { triedAgain } from './tried-again.js';

export interface ProjectionBatch {
  readonly generation: Generation;
  readonly events: readonly Opened[];
  readonly documents: DocumentStore;
  readonly log: ProjectionLog;
}

/** What a batch makes of the documents, not saved yet. */
export interface PreparedBatch {
  /** Saves documents and checkpoint together. When that fails nothing of the batch counts: it comes again as it was. */
  save(): Promise<void>;
}

interface Work extends ProjectionBatch {
  /** The streams that this batch parks. */
  readonly parks: ParkedStream[];
  readonly held: HeldDocuments;
}

interface Step {
  readonly event: StoredEvent;
  readonly changes: readonly DocumentChange[];
}

/** Longer than this at a time nobody else waits for a turn of the event loop. */
const SLICE_MS = 10;

/** Where an event lies, whether it can be read or not. */
export const positionOf = ({ event, failure }: Opened): Position => (event ?? failure).position;

/** Applies a batch of events to the documents they name and saves those together with the checkpoint. An event that fails parks its stream. */
export async function applyBatch(batch: ProjectionBatch): Promise<void> {
  await (await prepareBatch(batch)).save();
}

/** Loads the documents that a batch names and brings them on, in memory. */
export async function prepareBatch(batch: ProjectionBatch): Promise<PreparedBatch> {
  const { projector, number, recent } = batch.generation;
  const held = new HeldDocuments((collection) => physicalName(collection, projector.version, number), recent);
  const work: Work = { ...batch, parks: [], held };
  const steps: Step[] = [];
  let since = performance.now();
  for (const { event, failure } of batch.events) {
    if (failure !== undefined) parkUnreadable(work, failure);
    else if (projector.handles.has(event.type) && !isParked(work.generation, event)) {
      const changes = changesOf(work, event) ?? (await changesAfterAll(work, event));
      for (const change of changes) work.held.want(change);
      if (changes.length > 0) steps.push({ event, changes });
    }
    if (performance.now() - since > SLICE_MS) since = await afterATurn();
  }
  await work.held.load(batch.documents);
  for (const step of steps) {
    if (!isParked(work.generation, step.event) && !applied(work, step)) await applyAfterAll(work, step);
    if (performance.now() - since > SLICE_MS) since = await afterATurn();
  }
  return { save: () => save(work) };
}

async function save({ generation, events, documents, parks, held }: Work): Promise<void> {
  const last = events.at(-1);
  if (last === undefined) return;
  try {
    if (parks.length > 0) await documents.setFact(parkedFact(generation.key), JSON.stringify([...generation.parked.values()]));
    await documents.save({ projector: generation.key, checkpoint: positionOf(last), writes: held.writes() });
  } catch (error) {
    for (const { stream } of parks) generation.parked.delete(stream);
    generation.recent = null;
    throw error;
  }
  generation.checkpoint = positionOf(last);
  generation.recent = held;
}

/** Events before the one that failed are still taken when they come again. */
const isParked = ({ parked }: Generation, { stream, position }: StoredEvent | EventUnreadable): boolean => {
  const since = parked.get(stream);
  return since !== undefined && since.position <= position;
};

/** Null when it fails. */
function changesOf({ generation }: Work, event: StoredEvent): readonly DocumentChange[] | null {
  try {
    return generation.projector.project(event);
  } catch {
    // Tried again by the caller, which tells what it throws.
    return null;
  }
}

async function changesAfterAll(work: Work, event: StoredEvent): Promise<readonly DocumentChange[]> {
  try {
    return await triedAgain(() => work.generation.projector.project(event));
  } catch (error) {
    parkFailed(work, event, error);
    return [];
  }
}

/** All changes of an event or none: a change that fails takes the others of its event with it. False when one fails. */
function applied({ held }: Work, { event, changes }: Step): boolean {
  try {
    held.apply(event.position, changes);
    return true;
  } catch {
    // Tried again by the caller, which tells what it throws.
    return false;
  }
}

async function applyAfterAll(work: Work, { event, changes }: Step): Promise<void> {
  try {
    await triedAgain(() => work.held.apply(event.position, changes));
  } catch (error) {
    parkFailed(work, event, error);
  }
}

/** An event of a type that nobody knows may be anybody's business; another is that of those who answer to its type. */
function parkUnreadable(work: Work, failure: EventUnreadable): void {
  const { stream, position, type, reason } = failure;
  const concerns = reason === 'unknown-type' || work.generation.projector.handles.has(type);
  if (concerns && !isParked(work.generation, failure)) park(work, { stream, position, type, reason }, failure);
}

function park({ generation, log, parks }: Work, parked: ParkedStream, error: unknown): void {
  parks.push(parked);
  generation.parked.set(parked.stream, parked);
  log.error({ err: error, projector: generation.projector.name, ...parked }, 'stream parked');
}

const parkFailed = (work: Work, { stream, position, type }: StoredEvent, error: unknown): void =>
  park(work, { stream, position, type, reason: 'projection' }, error);

/** Gives the event loop a turn, so that a slow projector costs lag and nobody's requests; answers the time afterwards. */
async function afterATurn(): Promise<number> {
  await nextTurn();
  return performance.now();
}
