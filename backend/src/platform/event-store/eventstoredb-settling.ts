import { setTimeout as pause } from 'node:timers/promises';
import type { StoredEvent } from '../../kernel/event.js';
import { StoreAway } from '../store-errors.js';
import type { EncodedEvent } from './check-append.js';
import type { EventStoreDbCalls } from './eventstoredb-calls.js';
import { actualOf, meaningOf, portErrorOf } from './eventstoredb-errors.js';
import type { EventStoreDbReads } from './eventstoredb-reads.js';
import { type Appended, AppendTooLarge } from './event-store.js';

/** Where an append is to go, and until when (of `performance.now()`) there must be an answer. */
export interface Place {
  readonly stream: string;
  readonly at: number | 'none';
  readonly due: number;
}

/** The stream is elsewhere, and these events are not in it where they should be. */
export interface Elsewhere {
  readonly actual: number;
}

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 400;

/**
 * Appends at an exact revision until there is a definite answer. Whatever an earlier try came to, the same ids at the same revision are there once: the server answers
 * a repeat with the first outcome, and once the stream has gone on without them they can never come in late.
 * @throws StoreAway when nobody can say within the time, AppendTooLarge, Tombstoned, mistakes of this program
 */
export async function settle(
  calls: EventStoreDbCalls,
  reads: EventStoreDbReads,
  { stream, at, due }: Place,
  events: readonly EncodedEvent[],
): Promise<Appended | Elsewhere> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await calls.append(stream, at, events, due);
    } catch (error) {
      const meaning = meaningOf(error);
      if (meaning === 'conflict') {
        const own = tries === 1 ? null : await lyingThere(reads, { stream, at, due }, events);
        return own ?? { actual: actualOf(error) };
      }
      if (meaning === 'too-large') throw new AppendTooLarge('EventStoreDB takes less in one append than this program allows', { cause: error });
      if (meaning !== 'unknown') throw portErrorOf(error, stream);
      await again({ error, stream, tries, due });
    }
  }
}

/** A pause before the next try. @throws what the error means to the port, when there is no time for one */
async function again({
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

/** The first outcome, when exactly these events lie exactly where they were meant to go. @throws StoreAway when that cannot be read in time */
async function lyingThere(reads: EventStoreDbReads, { stream, at, due }: Place, events: readonly EncodedEvent[]): Promise<Appended | null> {
  const from = at === 'none' ? 0 : at + 1;
  const there = await readSurely(reads, { stream, from, limit: events.length, due });
  const last = there.at(-1);
  return last !== undefined && areThese(there, events) ? { revision: last.revision, position: last.position } : null;
}

/** Tries a read until it works or there is no time left. @throws StoreAway, Tombstoned, mistakes of this program */
async function readSurely(
  reads: EventStoreDbReads,
  { stream, from, limit, due }: { readonly stream: string; readonly from: number; readonly limit: number; readonly due: number },
): Promise<readonly StoredEvent[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await reads.stream(stream, { from, limit, due });
    } catch (error) {
      if (meaningOf(error) !== 'unknown') throw portErrorOf(error, stream);
      await again({ error, stream, tries, due });
    }
  }
}

/** True when these are the very events, all of them; ids come back in small letters. */
const areThese = (stored: readonly StoredEvent[], events: readonly EncodedEvent[]): boolean =>
  stored.length === events.length && stored.every(({ id }, index) => id === events[index]?.id.toLowerCase());

/** What an append that was never sent is told. */
export const neverSent = (): StoreAway => new StoreAway('EventStoreDB did not answer in time: the append was not sent');
