import type { StoredEvent } from '../kernel/event.js';
import type { Body, DocumentChange, Projector } from '../kernel/projector.js';
import type { DocumentStore, DocumentWrite } from './documents/documents.js';
import type { ProjectionLog } from './projection-runner.js';
import { physicalName } from './read-models.js';

export interface ProjectionBatch {
  readonly projector: Projector;
  readonly key: string;
  readonly events: readonly StoredEvent[];
  readonly documents: DocumentStore;
  /** Streams whose events this projector could not take: they stay as they were until it is rebuilt. */
  readonly parked: Set<string>;
  readonly log: ProjectionLog;
}

/** The fact that names a projector's parked streams (a JSON list): known again after a restart, gone with a rebuild. */
export const parkedFact = (key: string): string => `parked ${key}`;

interface Held {
  body: Body | null;
  position: number;
  changed: boolean;
}

/** Applies a batch of events to the documents they name and saves those together with the checkpoint. An event that fails parks its stream. */
export async function applyBatch(batch: ProjectionBatch): Promise<void> {
  const last = batch.events.at(-1);
  if (last === undefined) return;
  const parkedBefore = new Set(batch.parked);
  const work = batch.events.map((event) => ({ event, changes: changesOf(batch, event) }));
  const held = await loadAll(
    batch,
    work.flatMap(({ changes }) => changes),
  );
  const stuck = new Set<string>();
  for (const { event, changes } of work) {
    if (!stuck.has(event.stream) && !applyEvent(batch, event, changes, held)) stuck.add(event.stream);
  }
  const writes: DocumentWrite[] = [];
  for (const [key, document] of held) {
    if (!document.changed) continue;
    const [collection = '', id = ''] = key.split('\n');
    writes.push({ collection, id, body: document.body, position: document.position });
  }
  try {
    if (batch.parked.size > parkedBefore.size) await batch.documents.setFact(parkedFact(batch.key), JSON.stringify([...batch.parked]));
    await batch.documents.save({ projector: batch.key, checkpoint: last.position, writes });
  } catch (error) {
    // Nothing of this batch was saved: it comes again as it was.
    for (const stream of batch.parked) if (!parkedBefore.has(stream)) batch.parked.delete(stream);
    throw error;
  }
}

const keyOf = (batch: ProjectionBatch, change: DocumentChange): string => `${physicalName(change.collection, batch.projector.version)}\n${change.id}`;

function changesOf(batch: ProjectionBatch, event: StoredEvent): readonly DocumentChange[] {
  if (batch.parked.has(event.stream)) return [];
  try {
    return batch.projector.project(event);
  } catch (error) {
    return park(batch, event, error);
  }
}

async function loadAll(batch: ProjectionBatch, changes: readonly DocumentChange[]): Promise<Map<string, Held>> {
  const keys = [...new Set(changes.map((change) => keyOf(batch, change)))];
  const loaded = await batch.documents.load(
    keys.map((key) => {
      const [collection = '', id = ''] = key.split('\n');
      return { collection, id };
    }),
  );
  return new Map(keys.map((key, at) => [key, { body: loaded[at]?.body ?? null, position: loaded[at]?.position ?? 0, changed: false }]));
}

/** All changes of an event or none: a change that fails takes the others of its event with it. False when the event failed. */
function applyEvent(batch: ProjectionBatch, event: StoredEvent, changes: readonly DocumentChange[], held: Map<string, Held>): boolean {
  try {
    const next = new Map<Held, Body | null>();
    for (const change of changes) {
      const document = held.get(keyOf(batch, change));
      if (document === undefined || document.position >= event.position) continue;
      next.set(document, change.change(next.has(document) ? (next.get(document) ?? null) : document.body));
    }
    for (const [document, body] of next) {
      if (body === document.body) continue;
      Object.assign(document, { body, position: event.position, changed: true });
    }
    return true;
  } catch (error) {
    park(batch, event, error);
    return false;
  }
}

function park(batch: ProjectionBatch, event: StoredEvent, error: unknown): readonly DocumentChange[] {
  batch.parked.add(event.stream);
  batch.log.error({ err: error, projector: batch.projector.name, stream: event.stream, position: event.position, type: event.type }, 'stream parked');
  return [];
}
