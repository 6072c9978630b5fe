import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceUnavailable } from '../store-errors.js';
import type { EncodedEvent } from './check-append.js';
import { EventStoreDbCalls } from './eventstoredb-calls.js';
import { outcomeOf } from './eventstoredb-errors.js';

/** The stream whose newest event holds the log's identity. */
export const IDENTITY_STREAM = 'roughmix-log';
const EVENT_TYPE = 'LogNamed';
const RENEW_MS = 5_000;
const RETRY_MS = 50;

/** The log's identity, and the id and revision of the event that holds it. */
export interface LogIdentity {
  readonly id: string;
  readonly revision: number;
  readonly identity: string;
}

/** Reads the log's identity, or creates it: only once, even if several processes open a new log at the same time. @throws ServiceUnavailable, the errors of calls */
export async function readOrCreateIdentity(calls: EventStoreDbCalls, due: number): Promise<LogIdentity> {
  const known = await newest(calls, due);
  if (known !== null) return known;
  await writeIdentity(calls, { id: randomUUID(), revision: 0, identity: randomUUID() }, due).catch((error: unknown) => {
    if (outcomeOf(error) !== 'conflict') throw error;
  });
  // An identity that another process is writing may not be readable yet.
  for (; performance.now() < due; await pause(RETRY_MS)) {
    const created = await newest(calls, due);
    if (created !== null) return created;
  }
  throw new ServiceUnavailable('the identity of the log could not be written');
}

/**
 * Writes the identity event. Repeating it reaches the leader's writer like any append but stores nothing, so it serves as the readiness probe.
 * @throws the errors of calls, a `conflict` when another event is stored at that revision
 */
export async function writeIdentity(calls: EventStoreDbCalls, { revision, ...event }: LogIdentity, due: number): Promise<void> {
  await calls.append(IDENTITY_STREAM, revision === 0 ? 'none' : revision - 1, [identityEvent(event)], due);
}

/** The event that holds a log's identity. */
export const identityEvent = ({ id, identity }: Omit<LogIdentity, 'revision'>): EncodedEvent => ({
  id,
  json: JSON.stringify({ id, type: EVENT_TYPE, data: { identity }, meta: {} }),
});

/**
 * Gives a log a new identity, used by every process started afterwards. Idempotent for the same `id`.
 * @param id the UUID of the event to write @throws ServiceUnavailable
 */
export async function renewIdentity(url: string, { id, identity }: Omit<LogIdentity, 'revision'>): Promise<void> {
  const calls = EventStoreDbCalls.to(url);
  const due = performance.now() + RENEW_MS;
  try {
    const { id: known, revision } = await readOrCreateIdentity(calls, due);
    if (known !== id) await writeIdentity(calls, { id, revision: revision + 1, identity }, due);
  } catch (error) {
    throw error instanceof ServiceUnavailable
      ? error
      : new ServiceUnavailable('EventStoreDB did not accept a new identity of the log: try again', { cause: error });
  } finally {
    calls.close();
  }
}

async function newest(calls: EventStoreDbCalls, due: number): Promise<LogIdentity | null> {
  const [event] = (await calls.stream(IDENTITY_STREAM, { from: 'end', count: 1, due })) ?? [];
  if (event === undefined) return null;
  const { data, id, revision } = event;
  const identity = typeof data === 'object' && data !== null && 'identity' in data ? data.identity : null;
  if (typeof identity !== 'string' || identity === '') throw new Error(`the newest event of ${IDENTITY_STREAM} in EventStoreDB contains no identity`);
  return { id, revision, identity };
}
