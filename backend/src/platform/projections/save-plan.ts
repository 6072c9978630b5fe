import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { DocumentStore, DocumentWrite } from '../documents/documents.js';

/** How many documents are saved at a time while commands run. More would block the writer thread and the event loop for too long. */
export const CHUNK_SIZE = 200;

/** The longest pause between two chunks, in milliseconds. */
const MAX_PAUSE_MS = 20;

/** A former lease holder may finish and clear its plan while this process reads it. Reading the checkpoint again shows that. */
const ATTEMPTS = 3;

/** The header of a plan: its target position, and in how many parts it is stored. No document is saved before all parts are stored. */
interface StoredPlan {
  readonly to: Position;
  readonly parts: number;
  readonly isWhole: boolean;
}

interface StoredPart {
  readonly to: Position;
  readonly writes: readonly DocumentWrite[];
}

/** The names of the facts that store a generation's plan and the parts of the plan. */
export const planFact = (key: string): string => `plan ${key}`;
const partFact = (key: string, part: number): string => `plan ${key} part ${part}`;

/** A batch of one generation, its documents in chunks. */
export interface ChunkedBatch {
  readonly key: string;
  readonly from: Position;
  readonly to: Position;
  readonly chunks: readonly (readonly DocumentWrite[])[];
}

/** Splits writes into chunks of `size`; returns one empty chunk if there are none. */
export function chunksOf(writes: readonly DocumentWrite[], size: number): readonly (readonly DocumentWrite[])[] {
  if (writes.length <= size) return [writes];
  return Array.from({ length: Math.ceil(writes.length / size) }, (_, at) => writes.slice(at * size, (at + 1) * size));
}

/**
 * Saves the chunks of a batch one after another, the checkpoint with the last one, so other projectors can save in between. After each chunk it pauses
 * for as long as the chunk took, so a long batch uses at most half of the processor.
 */
export async function saveChunks(documents: DocumentStore, { key, from, to, chunks }: ChunkedBatch): Promise<void> {
  for (const [at, writes] of chunks.entries()) {
    const isLast = at === chunks.length - 1;
    const begun = performance.now();
    await documents.save({ projector: key, checkpoint: isLast ? to : from, writes });
    if (!isLast) await pause(Math.min(performance.now() - begun, MAX_PAUSE_MS));
  }
}

/**
 * Saves a batch whose projection has read documents. If only half of it were saved, projecting its events again would read documents that it has already
 * changed. So a batch that cannot be saved in one write is stored as a plan first. A crash before the plan is complete leaves the documents untouched; after
 * a later crash, {@link completePlan} saves the rest before anything else is projected.
 */
export async function savePlanned(documents: DocumentStore, batch: ChunkedBatch): Promise<void> {
  const { key, to, chunks } = batch;
  const isEmpty = chunks.every((writes) => writes.length === 0);
  if (isEmpty || (chunks.length === 1 && documents.savesAtomically)) return saveChunks(documents, batch);
  const plan = { to, parts: chunks.length };
  await write(documents, planFact(key), { ...plan, isWhole: false });
  for (const [part, writes] of chunks.entries()) await write(documents, partFact(key, part), { to, writes: writes.map(plainWrite) });
  await write(documents, planFact(key), { ...plan, isWhole: true });
  await saveChunks(documents, batch);
  await clear(documents, key, chunks.length);
}

/** Completes the plan of a generation's last batch if saving it was interrupted. A fence prevents later writes by a former lease holder. @throws Fenced */
export async function completePlan(documents: DocumentStore, key: string, fence: number | null): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const text = fence === null ? await documents.fact(planFact(key)) : await documents.takeFact(planFact(key), { fence });
    const plan = parsed<StoredPlan>(text);
    if (plan === null) return;
    const checkpoint = await documents.checkpoint(key);
    const chunks = plan.isWhole && plan.to > checkpoint ? await partsOf(documents, key, plan) : null;
    if (chunks === 'replaced') continue;
    if (chunks !== null) await saveChunks(documents, { key, from: checkpoint, to: plan.to, chunks });
    return clear(documents, key, plan.parts);
  }
  throw new Error(`the plan of ${key} cannot be completed: parts of it are missing`);
}

/** Removes the plan of a dropped generation. */
export async function dropPlan(documents: DocumentStore, key: string): Promise<void> {
  const plan = parsed<StoredPlan>(await documents.fact(planFact(key)));
  if (plan !== null) await clear(documents, key, plan.parts);
}

async function partsOf(documents: DocumentStore, key: string, { to, parts }: StoredPlan): Promise<readonly (readonly DocumentWrite[])[] | 'replaced'> {
  const chunks: (readonly DocumentWrite[])[] = [];
  for (let part = 0; part < parts; part += 1) {
    const stored = parsed<StoredPart>(await documents.fact(partFact(key, part)));
    if (stored?.to !== to) return 'replaced';
    chunks.push(stored.writes);
  }
  return chunks;
}

/** A plan may contain data of people who are erased later, so no part of it is kept. */
async function clear(documents: DocumentStore, key: string, parts: number): Promise<void> {
  for (let part = 0; part < parts; part += 1) await documents.setFact(partFact(key, part), '');
  await documents.setFact(planFact(key), '');
}

const plainWrite = ({ collection, id, body, position }: DocumentWrite): DocumentWrite => ({ collection, id, body, position });

const write = (documents: DocumentStore, name: string, value: StoredPlan | StoredPart): Promise<void> => documents.setFact(name, JSON.stringify(value));

const parsed = <Value>(text: string | null): Value | null => (text === null || text === '' ? null : (JSON.parse(text) as Value));
