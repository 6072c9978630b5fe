import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreAway } from '../store-errors.js';
import type { EncodedEvent } from './check-append.js';
import { EventStoreDbCalls } from './eventstoredb-calls.js';
import { meaningOf } from './eventstoredb-errors.js';

/** The stream whose newest event names the log. */
export const NAMING_STREAM = 'roughmix-log';
const NAMED = 'LogNamed';
const RENEW_MS = 5_000;
const AGAIN_MS = 50;

/** What gave a log its name: the event, and where it lies in its stream. */
export interface Naming {
  readonly id: string;
  readonly revision: number;
  readonly identity: string;
}

/** The newest naming of a log, made where there is none: one, also when several processes open a new log at the same time. @throws StoreAway, what the client throws */
export async function namingOf(calls: EventStoreDbCalls, due: number): Promise<Naming> {
  const known = await newest(calls, due);
  if (known !== null) return known;
  await name(calls, { id: randomUUID(), revision: 0, identity: randomUUID() }, due).catch((error: unknown) => {
    if (meaningOf(error) !== 'conflict') throw error;
  });
  // What another process is naming it in this moment is not to be read at once.
  for (; performance.now() < due; await pause(AGAIN_MS)) {
    const made = await newest(calls, due);
    if (made !== null) return made;
  }
  throw new StoreAway('the log could not be named');
}

/**
 * Writes a naming. Writing it again changes nothing: it goes the way of every append up to the leader's writer and leaves nothing in the log, so that readiness can be
 * told by it every few seconds. @throws what the client throws, of meaning `conflict` when another lies there
 */
export async function name(calls: EventStoreDbCalls, { id, revision, identity }: Naming, due: number): Promise<void> {
  const event: EncodedEvent = { id, json: JSON.stringify({ id, type: NAMED, data: { identity }, meta: {} }) };
  await calls.append(NAMING_STREAM, revision === 0 ? 'none' : revision - 1, [event], due);
}

/**
 * Gives a log another identity, which every program that is started from now on sees. Again with the same `id` nothing changes.
 * @param id of the event that is written, a UUID @throws StoreAway
 */
export async function renewIdentity(url: string, { id, identity }: Omit<Naming, 'revision'>): Promise<void> {
  const calls = EventStoreDbCalls.to(url);
  const due = performance.now() + RENEW_MS;
  try {
    const { id: known, revision } = await namingOf(calls, due);
    if (known !== id) await name(calls, { id, revision: revision + 1, identity }, due);
  } catch (error) {
    throw error instanceof StoreAway ? error : new StoreAway('EventStoreDB did not take another identity of the log: try again', { cause: error });
  } finally {
    await calls.close();
  }
}

async function newest(calls: EventStoreDbCalls, due: number): Promise<Naming | null> {
  try {
    const [event] = await calls.stream(NAMING_STREAM, { from: 'end', count: 1, due });
    if (event === undefined) return null;
    const { data, id, revision } = event;
    const identity = typeof data === 'object' && data !== null && 'identity' in data ? data.identity : null;
    if (typeof identity !== 'string' || identity === '') throw new Error(`the newest event of ${NAMING_STREAM} in EventStoreDB does not name a log`);
    return { id, revision: Number(revision), identity };
  } catch (error) {
    if (meaningOf(error) === 'missing') return null;
    throw error;
  }
}
