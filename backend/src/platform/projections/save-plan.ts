import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { DocumentStore, DocumentWrite } from '../documents/documents.js';

/** How many documents are saved at a time while commands run. More would block the writer thread and the event loop for too long. */
export const SLICE = 200;

/** The longest pause between two slices, in milliseconds. */
const MAX_PAUSE_MS = 20;

/** A former lease holder may clear a plan that it has saved while it is read here; the checkpoint read next shows that. */
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

/** The fact that names a generation's plan, and those that hold its parts. */
export const planFact = (key: string): string => `plan ${key}`;
const partFact = (key: string, part: number): string => `plan ${key} part ${part}`;

/** A batch of one generation, its documents in slices. */
export interface SlicedBatch {
  readonly key: string;
  readonly from: Position;
  readonly to: Position;
  readonly slices: readonly (readonly DocumentWrite[])[];
}

/** Cuts writes into slices of a size; one empty slice when there are none. */
export function slicesOf(writes: readonly DocumentWrite[], size: number): readonly (readonly DocumentWrite[])[] {
  if (writes.length <= size) return [writes];
  return Array.from({ length: Math.ceil(writes.length / size) }, (_, at) => writes.slice(at * size, (at + 1) * size));
}

/**
 * Saves the slices of a batch one after the other, the checkpoint with the last, which lets other projectors save in between. Each slice is
 * followed by a pause as long as the slice took, so a long batch uses at most half of the processor.
 */
export async function saveSlices(documents: DocumentStore, { key, from, to, slices }: SlicedBatch): Promise<void> {
  for (const [at, writes] of slices.entries()) {
    const isLast = at === slices.length - 1;
    const begun = performance.now();
    await documents.save({ projector: key, checkpoint: isLast ? to : from, writes });
    if (!isLast) await pause(Math.min(performance.now() - begun, MAX_PAUSE_MS));
  }
}

/**
 * Saves a batch with reads. Its events must never be projected on documents that hold a part of it, so a batch that cannot be saved at once is stored as
 * a plan first. Interrupted before the plan is stored, nothing was saved; after that {@link completePlan} saves the rest before anything else is projected.
 */
export async function savePlanned(documents: DocumentStore, batch: SlicedBatch): Promise<void> {
  const { key, to, slices } = batch;
  const isEmpty = slices.every((writes) => writes.length === 0);
  if (isEmpty || (slices.length === 1 && documents.savesAtomically)) return saveSlices(documents, batch);
  const plan = { to, parts: slices.length };
  await write(documents, planFact(key), { ...plan, isWhole: false });
  for (const [part, writes] of slices.entries()) await write(documents, partFact(key, part), { to, writes: writes.map(plainWrite) });
  await write(documents, planFact(key), { ...plan, isWhole: true });
  await saveSlices(documents, batch);
  await clear(documents, key, slices.length);
}

/** Completes the plan of a generation's last batch, if it was interrupted. With a fence no write of a former holder follows it. @throws Fenced */
export async function completePlan(documents: DocumentStore, key: string, fence: number | null): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const text = fence === null ? await documents.fact(planFact(key)) : await documents.takeFact(planFact(key), { fence });
    const plan = parsed<StoredPlan>(text);
    if (plan === null) return;
    const checkpoint = await documents.checkpoint(key);
    const slices = plan.isWhole && plan.to > checkpoint ? await partsOf(documents, key, plan) : null;
    if (slices === 'replaced') continue;
    if (slices !== null) await saveSlices(documents, { key, from: checkpoint, to: plan.to, slices });
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
  const slices: (readonly DocumentWrite[])[] = [];
  for (let part = 0; part < parts; part += 1) {
    const stored = parsed<StoredPart>(await documents.fact(partFact(key, part)));
    if (stored?.to !== to) return 'replaced';
    slices.push(stored.writes);
  }
  return slices;
}

/** A plan may contain data of erased people, so nothing of it is kept. */
async function clear(documents: DocumentStore, key: string, parts: number): Promise<void> {
  for (let part = 0; part < parts; part += 1) await documents.setFact(partFact(key, part), '');
  await documents.setFact(planFact(key), '');
}

const plainWrite = ({ collection, id, body, position }: DocumentWrite): DocumentWrite => ({ collection, id, body, position });

const write = (documents: DocumentStore, name: string, value: StoredPlan | StoredPart): Promise<void> => documents.setFact(name, JSON.stringify(value));

const parsed = <Value>(text: string | null): Value | null => (text === null || text === '' ? null : (JSON.parse(text) as Value));
