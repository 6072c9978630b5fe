import { setTimeout as pause } from 'node:timers/promises';
import type { StoredEvent } from '../../kernel/event.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { EncodedEvent } from './check-append.js';
import type { EventStoreDbCalls } from './eventstoredb-calls.js';
import { actualOf, outcomeOf, portErrorOf } from './eventstoredb-errors.js';
import type { EventStoreDbReads } from './eventstoredb-reads.js';
import { type Appended, AppendTooLarge } from './event-store.js';

/** The target of an append, and its deadline (of `performance.now()`). */
export interface AppendTarget {
  readonly stream: string;
  readonly expected: number | 'none';
  readonly due: number;
}

/** The stream is at another revision, and these events are not stored at the expected one. */
export interface Conflict {
  readonly actual: number;
}

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 400;

/**
 * Retries an append at an exact revision until its outcome is definite. The events are stored at most once: the server answers a repeat with the first result, and once
 * the stream has moved on without them a delayed attempt can no longer succeed.
 * @throws ServiceUnavailable when the outcome is still unknown at the deadline, AppendTooLarge, Tombstoned, our own bugs
 */
export async function settle(
  calls: EventStoreDbCalls,
  reads: EventStoreDbReads,
  { stream, expected, due }: AppendTarget,
  events: readonly EncodedEvent[],
): Promise<Appended | Conflict> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await calls.append(stream, expected, events, due);
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome === 'conflict') {
        const own = tries === 1 ? null : await findOwnAppend(reads, { stream, expected, due }, events);
        return own ?? { actual: actualOf(error) };
      }
      if (outcome === 'too-large') throw new AppendTooLarge('EventStoreDB allows smaller appends than this program', { cause: error });
      if (outcome !== 'unknown') throw portErrorOf(error, stream);
      await backOff({ error, stream, tries, due });
    }
  }
}

/** Waits before the next attempt. @throws the port's error when the deadline leaves no time for one */
async function backOff({
  error,
  stream,
  tries,
  due,
}: {
  readonly error: unknown;
  readonly stream: string;
  readonly tries: number;
  readonly due: number;
}): Promise<void> {
  const wait = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
  if (performance.now() + wait >= due) throw portErrorOf(error, stream);
  await pause(wait * (0.5 + Math.random() / 2));
}

/** The result of an earlier attempt, if exactly these events are stored at the expected revision. @throws ServiceUnavailable when that cannot be read in time */
async function findOwnAppend(reads: EventStoreDbReads, { stream, expected, due }: AppendTarget, events: readonly EncodedEvent[]): Promise<Appended | null> {
  const from = expected === 'none' ? 0 : expected + 1;
  const stored = await readWithRetry(reads, { stream, from, limit: events.length, due });
  const last = stored.at(-1);
  return last !== undefined && areSameEvents(stored, events) ? { revision: last.revision, position: last.position } : null;
}

/** Retries a read until the deadline. @throws ServiceUnavailable, Tombstoned, our own bugs */
async function readWithRetry(
  reads: EventStoreDbReads,
  { stream, from, limit, due }: { readonly stream: string; readonly from: number; readonly limit: number; readonly due: number },
): Promise<readonly StoredEvent[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await reads.stream(stream, { from, limit, due });
    } catch (error) {
      if (outcomeOf(error) !== 'unknown') throw portErrorOf(error, stream);
      await backOff({ error, stream, tries, due });
    }
  }
}

/** True if the ids match one by one. The server returns ids in lower case. */
const areSameEvents = (stored: readonly StoredEvent[], events: readonly EncodedEvent[]): boolean =>
  stored.length === events.length && stored.every(({ id }, index) => id === events[index]?.id.toLowerCase());

/** The error of an append that was never sent. */
export const neverSent = (): ServiceUnavailable => new ServiceUnavailable('EventStoreDB did not answer in time; the append was not sent');
