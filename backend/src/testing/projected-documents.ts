import { randomUUID } from 'node:crypto';
import type { StoredEvent } from '../kernel/event.js';
import type { Body, Projector } from '../kernel/projector.js';
import type { DocumentStore } from '../platform/documents/documents.js';
import { applyBatch } from '../platform/projections/projection-batch.js';
import { type Generation, physicalName } from '../platform/projections/projection-generations.js';
import type { TestStores } from './test-stores.js';

/** A projector's documents by collection and id; null for a removed one. */
export type Documents = Readonly<Record<string, Body | null>>;

/** A projector's first generation, before any event. */
export const firstGeneration = (projector: Projector): Generation => ({
  projector,
  number: 1,
  key: projector.name,
  checkpoint: 0,
  parked: new Map(),
  recent: null,
});

/** Applies batches of events to a store as the runner does; parked streams and logged errors throw. */
export async function projectInto(documents: DocumentStore, projector: Projector, batches: readonly (readonly StoredEvent[])[]): Promise<void> {
  for (const { name, indexes } of projector.collections) await documents.declare({ name: physicalName(name, projector.version, 1), indexes });
  const complain = (facts: object, message: string): never => {
    throw new Error(message, { cause: facts });
  };
  const log = { info: complain, error: complain };
  const generation = firstGeneration(projector);
  for (const events of batches) await applyBatch({ generation, events: events.map((event) => ({ event })), documents, log });
}

/** Every document that these events touch, as `collection/id`, read from one generation. */
export async function documentsOf(documents: DocumentStore, projector: Projector, events: readonly StoredEvent[], generation = 1): Promise<Documents> {
  const touched = new Map(events.flatMap((event) => projector.project(event)).map(({ collection, id }) => [`${collection}/${id}`, { collection, id }]));
  const keys = [...touched.values()].map(({ collection, id }) => ({ collection: physicalName(collection, projector.version, generation), id }));
  const loaded = await documents.load(keys);
  return Object.fromEntries([...touched.keys()].map((name, at) => [name, loaded[at]?.body ?? null]));
}

/** The documents that a projector builds from these events. */
export async function foldedBy(stores: TestStores, projector: Projector, events: readonly StoredEvent[]): Promise<Documents> {
  const documents = await stores.otherDocuments(`${randomUUID()}.db`);
  await projectInto(documents, projector, [events]);
  return documentsOf(documents, projector, events);
}

/** Splits events into batches. */
export const inBatchesOf = (size: number, events: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] =>
  Array.from({ length: Math.ceil(events.length / size) }, (_, at) => events.slice(at * size, (at + 1) * size));
