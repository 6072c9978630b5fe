import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { EventMeta, StoredEvent } from '../../kernel/event.js';
import { type EventStoreDbCalls, positionOf, type Recorded } from './eventstoredb-calls.js';
import { isInvalidPosition, meaningOf } from './eventstoredb-errors.js';
import { NAMING_STREAM } from './eventstoredb-naming.js';
import { LogEdge } from './log-edge.js';

/** More than asked, so that a few of the server's own events cost no second call. */
const SPARE = 32;
const FIRST_BACK = 32;
const MOST_BACK = 4_096;
const PAGE_MS = 5_000;

/** Pages of events of ours, out of a log in which the server's own lie between them. */
export class EventStoreDbReads {
  readonly edge = new LogEdge();

  constructor(private readonly calls: EventStoreDbCalls) {}

  /** A page of a stream from a revision on; [] when there is no such stream. @throws the client's errors */
  async stream(stream: string, { from, limit, due }: { readonly from: number; readonly limit: number; readonly due: number }): Promise<readonly StoredEvent[]> {
    return (await this.#streamPage(stream, { from, count: limit, due })).map((event) => this.#stored(event));
  }

  /** What lies after a position, at most `limit`. @throws the client's errors */
  async all({ after, limit, due }: { readonly after: Position; readonly limit: number; readonly due: number }): Promise<readonly StoredEvent[]> {
    const found: StoredEvent[] = [];
    let beyond = after;
    for (let from = this.edge.startFor(after); ;) {
      const count = limit - found.length + SPARE;
      const raw = await (found.length === 0 ? this.#pageBehind(from, count, due) : this.calls.all({ from, count, due }));
      // The one at the start was seen before, whoever wrote it.
      for (const event of raw) if (isOurs(event) && at(event) > beyond) found.push(this.#stored(event));
      const last = raw.at(-1);
      const to = last === undefined ? from : Math.max(from, at(last));
      this.edge.scanned(from, to);
      if (found.length >= limit || raw.length < count) return found.slice(0, limit);
      from = beyond = to;
    }
  }

  /** A page from a position on at which an event need not begin, which the server would refuse: the one before an event's, most often. */
  async #pageBehind(from: Position, count: number, due: number): Promise<readonly Recorded[]> {
    for (const start of [from, from + 1]) {
      try {
        return await this.calls.all({ from: start, count, due });
      } catch (error) {
        if (!isInvalidPosition(error)) throw error;
      }
    }
    let start: Position | null = null;
    for await (const event of this.#backwards(due)) {
      if (at(event) <= from) break;
      start = at(event);
    }
    return start === null ? [] : this.calls.all({ from: start, count, due });
  }

  /** The newest events of ours, oldest first. @throws the client's errors */
  async newest(limit: number, due: number): Promise<readonly StoredEvent[]> {
    const found: StoredEvent[] = [];
    for await (const event of this.#backwards(due)) {
      if (isOurs(event)) found.push(this.#stored(event));
      if (found.length === limit) break;
    }
    return found.toReversed();
  }

  /** The position of the newest event of ours, 0 without one; reads no further back than what is known to hold none. @throws the client's errors */
  async head(due: number): Promise<Position> {
    let from = this.edge.bareTo;
    let end: Position | null = null;
    for await (const event of this.#backwards(due)) {
      end ??= at(event);
      if (isOurs(event)) this.edge.saw((from = at(event)));
      if (at(event) <= from) break;
    }
    if (end !== null) this.edge.scanned(from, end);
    return this.edge.newest;
  }

  /** Everything from the end on, in growing pages. Each page after the first has a time of its own: much of others' may lie behind our newest event, and the way back is as long as that. */
  async *#backwards(due: number): AsyncGenerator<Recorded, void, void> {
    let from: Position | 'end' = 'end';
    let pageDue = due;
    for (let count = FIRST_BACK; ; count = Math.min(count * 4, MOST_BACK)) {
      const raw: readonly Recorded[] = await this.calls.all({ from, count, due: pageDue, backwards: true });
      pageDue = performance.now() + PAGE_MS;
      yield* raw;
      const last = raw.at(-1);
      if (last === undefined || raw.length < count) return;
      from = at(last);
    }
  }

  async #streamPage(stream: string, asked: Parameters<EventStoreDbCalls['stream']>[1]): Promise<readonly Recorded[]> {
    try {
      return await this.calls.stream(stream, asked);
    } catch (error) {
      if (meaningOf(error) === 'missing') return [];
      throw error;
    }
  }

  #stored(event: Recorded): StoredEvent {
    const { id, type, data, streamId: stream, revision } = event;
    const position = at(event);
    this.edge.saw(position);
    return { id, type, data, meta: event.metadata as EventMeta, stream, revision: Number(revision), position };
  }
}

const at = (event: Recorded): Position => positionOf(event.position?.commit);

/**
 * The server's own events and streams begin with $, as do links and what a deletion leaves behind; the log's name is no event of the program's, and what has no
 * metadata was written by somebody else.
 */
const isOurs = ({ type, streamId, isJson, metadata }: Recorded): boolean =>
  !type.startsWith('$') &&
  !streamId.startsWith('$') &&
  streamId !== NAMING_STREAM &&
  isJson &&
  typeof metadata === 'object' &&
  !(metadata instanceof Uint8Array);
