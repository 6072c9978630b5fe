import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { DocumentStore, DocumentWrite } from '../documents/documents.js';

/** As many documents are saved at a time beside people's work: more would keep the writing thread, and the event loop, from others. */
export const SLICE = 200;

/** The longest rest between two slices, in milliseconds. */
const MOST_REST_MS = 20;

/** A former holder may clear a plan that it has saved while it is read here; the checkpoint read next says so. */
const ATTEMPTS = 3;

/** What a fact holds of a plan: where it leads to, and in how many parts it is written down. Until it is whole no document was saved for it. */
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
 * Saves the slices of a batch one after the other, so that other projectors' saves get in between; the checkpoint comes with the last. Between two slices it
 * rests as long as the first one took, so that a long batch takes half of the processor at most.
 */
export async function saveSlices(documents: DocumentStore, { key, from, to, slices }: SlicedBatch): Promise<void> {
  for (const [at, writes] of slices.entries()) {
    const isLast = at === slices.length - 1;
    const begun = performance.now();
    await documents.save({ projector: key, checkpoint: isLast ? to : from, writes });
    if (!isLast) await pause(Math.min(performance.now() - begun, MOST_REST_MS));
  }
}

/**
 * Saves a batch with reads, whose events must never be projected on documents that hold a part of it: what cannot be saved at once is written down first.
 * Broken off before that is done, nothing was saved; afterwards {@link completePlan} saves the rest before anything else is projected.
 */
export async function savePlanned(documents: DocumentStore, batch: SlicedBatch): Promise<void> {
  const { key, to, slices } = batch;
  const isEmpty = slices.every((writes) => writes.length === 0);
  if (isEmpty || (slices.length === 1 && documents.savesWhole)) return saveSlices(documents, batch);
  const plan = { to, parts: slices.length };
  await write(documents, planFact(key), { ...plan, isWhole: false });
  for (const [part, writes] of slices.entries()) await write(documents, partFact(key, part), { to, writes: writes.map(plainWrite) });
  await write(documents, planFact(key), { ...plan, isWhole: true });
  await saveSlices(documents, batch);
  await clear(documents, key, slices.length);
}

/** Completes what a generation's last batch had planned, if it was broken off. With a fence nothing of a former holder comes after it. @throws Fenced */
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

/** Forgets what a generation that is dropped had planned. */
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

/** What it holds may be about people who are erased: nothing of it stays. */
async function clear(documents: DocumentStore, key: string, parts: number): Promise<void> {
  for (let part = 0; part < parts; part += 1) await documents.setFact(partFact(key, part), '');
  await documents.setFact(planFact(key), '');
}

const plainWrite = ({ collection, id, body, position }: DocumentWrite): DocumentWrite => ({ collection, id, body, position });

const write = (documents: DocumentStore, name: string, value: StoredPlan | StoredPart): Promise<void> => documents.setFact(name, JSON.stringify(value));

const parsed = <Value>(text: string | null): Value | null => (text === null || text === '' ? null : (JSON.parse(text) as Value));
