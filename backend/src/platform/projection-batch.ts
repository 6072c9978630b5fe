import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ParkedStream } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Body, DocumentChange } from '../kernel/projector.js';
import type { DocumentStore, DocumentWrite } from './documents/documents.js';
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
}

interface Held {
  readonly collection: string;
  readonly id: string;
  body: Body | null;
  position: Position;
  changed: boolean;
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
  const work: Work = { ...batch, parks: [] };
  const slices = new Slices();
  const steps: { readonly event: StoredEvent; readonly changes: readonly DocumentChange[] }[] = [];
  for (const { event, failure } of batch.events) {
    const changes = failure === undefined ? await changesOf(work, event) : parkUnreadable(work, failure);
    if (event !== undefined && changes.length > 0) steps.push({ event, changes });
    await slices.pass();
  }
  const held = await loadAll(
    work,
    steps.flatMap(({ changes }) => changes),
  );
  for (const { event, changes } of steps) {
    if (!isParked(work.generation, event)) await applyEvent(work, event, changes, held);
    await slices.pass();
  }
  return { save: () => save(work, held) };
}

async function save({ generation, events, documents, parks }: Work, held: ReadonlyMap<string, Held>): Promise<void> {
  const last = events.at(-1);
  if (last === undefined) return;
  const writes: DocumentWrite[] = [];
  for (const { collection, id, body, position, changed } of held.values()) if (changed) writes.push({ collection, id, body, position });
  try {
    if (parks.length > 0) await documents.setFact(parkedFact(generation.key), JSON.stringify([...generation.parked.values()]));
    await documents.save({ projector: generation.key, checkpoint: positionOf(last), writes });
  } catch (error) {
    for (const { stream } of parks) generation.parked.delete(stream);
    throw error;
  }
  generation.checkpoint = positionOf(last);
}

/** Events before the one that failed are still taken when they come again. */
const isParked = ({ parked }: Generation, { stream, position }: StoredEvent | EventUnreadable): boolean => {
  const since = parked.get(stream);
  return since !== undefined && since.position <= position;
};

async function changesOf(work: Work, event: StoredEvent): Promise<readonly DocumentChange[]> {
  const { projector } = work.generation;
  if (!projector.handles.has(event.type) || isParked(work.generation, event)) return [];
  try {
    return projector.project(event);
  } catch {
    return triedAgain(() => projector.project(event)).catch((error: unknown) => {
      park(work, { stream: event.stream, position: event.position, type: event.type, reason: 'projection' }, error);
      return [];
    });
  }
}

async function loadAll({ generation, documents }: Work, changes: readonly DocumentChange[]): Promise<Map<string, Held>> {
  const keys = new Map<string, { readonly collection: string; readonly id: string }>();
  for (const { collection, id } of changes) {
    if (!keys.has(`${collection}\n${id}`))
      keys.set(`${collection}\n${id}`, { collection: physicalName(collection, generation.projector.version, generation.number), id });
  }
  if (keys.size === 0) return new Map();
  const loaded = await documents.load([...keys.values()]);
  return new Map(
    [...keys].map(([key, { collection, id }], at) => [
      key,
      { collection, id, body: loaded[at]?.body ?? null, position: loaded[at]?.position ?? 0, changed: false },
    ]),
  );
}

/** All changes of an event or none: a change that fails takes the others of its event with it. */
async function applyEvent(work: Work, event: StoredEvent, changes: readonly DocumentChange[], held: Map<string, Held>): Promise<void> {
  const apply = (): void => applyChanges(event, changes, held);
  try {
    apply();
  } catch {
    await triedAgain(apply).catch((error: unknown) =>
      park(work, { stream: event.stream, position: event.position, type: event.type, reason: 'projection' }, error),
    );
  }
}

function applyChanges(event: StoredEvent, changes: readonly DocumentChange[], held: Map<string, Held>): void {
  const next = new Map<Held, Body | null>();
  for (const { collection, id, change } of changes) {
    const document = held.get(`${collection}\n${id}`);
    if (document === undefined || document.position >= event.position) continue;
    next.set(document, change(next.has(document) ? (next.get(document) ?? null) : document.body));
  }
  for (const [document, body] of next) {
    if (body === document.body) continue;
    Object.assign(document, { body, position: event.position, changed: true });
  }
}

/** An event of a type that nobody knows may be anybody's business; another is that of those who answer to its type. */
function parkUnreadable(work: Work, failure: EventUnreadable): readonly DocumentChange[] {
  const { stream, position, type, reason } = failure;
  const concerns = reason === 'unknown-type' || work.generation.projector.handles.has(type);
  if (concerns && !isParked(work.generation, failure)) park(work, { stream, position, type, reason }, failure);
  return [];
}

function park({ generation, log, parks }: Work, parked: ParkedStream, error: unknown): void {
  parks.push(parked);
  generation.parked.set(parked.stream, parked);
  log.error({ err: error, projector: generation.projector.name, ...parked }, 'stream parked');
}

/** Gives the event loop a turn now and then, so that a slow projector costs lag and nobody's requests. */
class Slices {
  private since = performance.now();

  async pass(): Promise<void> {
    if (performance.now() - this.since < SLICE_MS) return;
    await nextTurn();
    this.since = performance.now();
  }
}
