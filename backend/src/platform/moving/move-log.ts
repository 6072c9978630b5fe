import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { StoredEvent } from '../../kernel/event.js';
import { APPEND_LIMIT_BYTES, type EventStore, WrongExpectedRevision } from '../event-store/event-store.js';
import { type MoveOptions, MoveRefused } from './move-options.js';
import { MovedPositions } from './moved-positions.js';

/** A log with the same events in the same order as its source. */
export interface MovedLog {
  readonly events: number;
  /** The names of all streams. */
  readonly streams: ReadonlySet<string>;
  /** SHA-256 (hex) of all events as read back: stream, revision, id, type, data and meta. */
  readonly sha256: string;
  readonly positions: MovedPositions;
}

const PAGE = 500;
const REPORT_EVERY = 1_000;
/** Events per append; larger ones would disconnect subscribers of the target log. */
const APPEND_EVENTS = 100;

/**
 * Copies a log that has no writer, in order, and compares both completely. After an interruption it continues where the target log ends.
 * @throws MoveRefused when the target log contains anything else
 */
export async function moveLog(from: EventStore, to: EventStore, options: MoveOptions): Promise<MovedLog> {
  const before = await compareLogs(from, to, options.signal);
  if (before.events > 0) options.report(`${before.events} events were already copied by an earlier run`);
  let after = before.positions.lastSource;
  for (let copied = before.events, reported = copied; ;) {
    const page = await from.readAll({ after, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) break;
    for (const events of runsOf(page)) {
      options.signal.throwIfAborted();
      await append(to, events);
    }
    after = last.position;
    copied += page.length;
    if (copied - reported >= REPORT_EVERY) options.report(`${(reported = copied)} events copied`);
  }
  const moved = await compareLogs(from, to, options.signal);
  if (moved.positions.lastSource !== after) throw new MoveRefused('the target log is shorter than its source');
  return moved;
}

/** Compares the target log with the beginning of its source. @throws MoveRefused where they differ, or if the target is longer */
async function compareLogs(from: EventStore, to: EventStore, signal: AbortSignal): Promise<MovedLog> {
  const hash = createHash('sha256');
  const positions = new MovedPositions();
  const streams = new Set<string>();
  for (let before = { from: 0, to: 0 }; ;) {
    signal.throwIfAborted();
    const moved = await to.readAll({ after: before.to, limit: PAGE });
    const last = moved.at(-1);
    if (last === undefined) return { events: positions.size, streams, sha256: hash.digest('hex'), positions };
    const source = await from.readAll({ after: before.from, limit: moved.length });
    moved.forEach((event, at) => {
      const original = source[at];
      if (original === undefined || !isDeepStrictEqual(contentOf(original), contentOf(event)))
        throw new MoveRefused(`the target log contains a different event: ${event.stream} at revision ${event.revision}`);
      hash.update(JSON.stringify(contentOf(event)));
      streams.add(event.stream);
      positions.add(original.position, event.position);
    });
    before = { from: positions.lastSource, to: last.position };
  }
}

const contentOf = ({ stream, revision, id, type, data, meta }: StoredEvent): readonly unknown[] => [stream, revision, id, type, data, meta];

async function append(to: EventStore, events: readonly StoredEvent[]): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  try {
    await to.append(
      first.stream,
      first.revision === 0 ? 'none' : first.revision - 1,
      events.map(({ id, type, data, meta }) => ({ id, type, data, meta })),
    );
  } catch (error) {
    if (error instanceof WrongExpectedRevision) throw new MoveRefused(`another program writes to the target log: ${error.message}`);
    throw error;
  }
}

/** Groups neighbouring events of one stream, so the events of a command stay together and long runs need few appends. */
function runsOf(page: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] {
  const runs: StoredEvent[][] = [];
  let bytes = 0;
  for (const event of page) {
    const run = runs.at(-1);
    const size = sizeOf(event);
    if (run !== undefined && run.length < APPEND_EVENTS && run.at(-1)?.stream === event.stream && bytes + size <= APPEND_LIMIT_BYTES) {
      run.push(event);
      bytes += size;
    } else {
      runs.push([event]);
      bytes = size;
    }
  }
  return runs;
}

/** An upper bound of an event's stored bytes. */
const sizeOf = (event: StoredEvent): number => Buffer.byteLength(JSON.stringify([event.id, event.type, event.data, event.meta])) + 64;
