import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { StoredEvent } from '../../kernel/event.js';
import { APPEND_LIMIT_BYTES, type EventStore, WrongExpectedRevision } from '../event-store/event-store.js';
import { type MoveWork, MoveRefused } from './move-work.js';
import { MovedPositions } from './moved-positions.js';

/** A log that holds the same events in the same order as another one. */
export interface MovedLog {
  readonly events: number;
  /** The names of all streams. */
  readonly streams: ReadonlySet<string>;
  /** SHA-256 (hex) over every event as it was read back: its stream, revision, id, type, data and meta. */
  readonly sha256: string;
  readonly positions: MovedPositions;
}

const PAGE = 500;
const TOLD_EVERY = 1_000;
/** More in one append would cut off who follows the log there. */
const RUN = 100;

/**
 * Copies a log that nobody writes to, in its order, and then reads both from end to end. What is cut off goes on where the other log ends.
 * @throws MoveRefused when the other log holds anything else
 */
export async function moveLog(from: EventStore, to: EventStore, work: MoveWork): Promise<MovedLog> {
  const begun = await compareLogs(from, to, work.signal);
  if (begun.events > 0) work.report(`${begun.events} events are there already`);
  let after = begun.positions.lastFrom;
  for (let copied = begun.events, told = copied; ;) {
    const page = await from.readAll({ after, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) break;
    for (const events of runsOf(page)) {
      work.signal.throwIfAborted();
      await append(to, events);
    }
    after = last.position;
    copied += page.length;
    if (copied - told >= TOLD_EVERY) work.report(`${(told = copied)} events copied`);
  }
  const moved = await compareLogs(from, to, work.signal);
  if (moved.positions.lastFrom !== after) throw new MoveRefused('the log there ends before this one');
  return moved;
}

/** How far another log holds the same as the first. @throws MoveRefused where it holds something else, or more */
async function compareLogs(from: EventStore, to: EventStore, signal: AbortSignal): Promise<MovedLog> {
  const hash = createHash('sha256');
  const positions = new MovedPositions();
  const streams = new Set<string>();
  for (let before = { from: 0, to: 0 }; ;) {
    signal.throwIfAborted();
    const moved = await to.readAll({ after: before.to, limit: PAGE });
    const last = moved.at(-1);
    if (last === undefined) return { events: positions.size, streams, sha256: hash.digest('hex'), positions };
    const own = await from.readAll({ after: before.from, limit: moved.length });
    moved.forEach((event, at) => {
      const mine = own[at];
      if (mine === undefined || !isDeepStrictEqual(contentOf(mine), contentOf(event)))
        throw new MoveRefused(`the log there holds something else: ${event.stream} at revision ${event.revision}`);
      hash.update(JSON.stringify(contentOf(event)));
      streams.add(event.stream);
      positions.add(mine.position, event.position);
    });
    before = { from: positions.lastFrom, to: last.position };
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
    if (error instanceof WrongExpectedRevision) throw new MoveRefused(`somebody else writes to the log there: ${error.message}`);
    throw error;
  }
}

/** Neighbours of one stream go out together: what a command left stays together, and a log that one person wrote is copied in few appends. */
function runsOf(page: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] {
  const runs: StoredEvent[][] = [];
  let bytes = 0;
  for (const event of page) {
    const run = runs.at(-1);
    const size = sizeOf(event);
    if (run !== undefined && run.length < RUN && run.at(-1)?.stream === event.stream && bytes + size <= APPEND_LIMIT_BYTES) {
      run.push(event);
      bytes += size;
    } else {
      runs.push([event]);
      bytes = size;
    }
  }
  return runs;
}

/** More than its JSON has octets, whatever is counted beside data and meta. */
const sizeOf = (event: StoredEvent): number => Buffer.byteLength(JSON.stringify([event.id, event.type, event.data, event.meta])) + 64;
