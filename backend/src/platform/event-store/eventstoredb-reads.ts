import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { EventMeta, StoredEvent } from '../../kernel/event.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { EventStoreDbCalls } from './eventstoredb-calls.js';
import { isInvalidPosition } from './eventstoredb-errors.js';
import { IDENTITY_STREAM } from './eventstoredb-identity.js';
import type { Recorded } from './eventstoredb-protocol.js';
import { LogEdge } from './log-edge.js';

/** Extra events per page, so that a few system events do not cost a second call. */
const SPARE = 32;
const FIRST_BACK = 32;
const MOST_BACK = 4_096;
const PAGE_MS = 5_000;

/** Reads pages of our events from a log that also contains system events. */
export class EventStoreDbReads {
  readonly edge = new LogEdge();

  constructor(private readonly calls: EventStoreDbCalls) {}

  /** A page of a stream from a revision on; [] if the stream does not exist. @throws the errors of calls */
  async stream(stream: string, { from, limit, due }: { readonly from: number; readonly limit: number; readonly due: number }): Promise<readonly StoredEvent[]> {
    return ((await this.calls.stream(stream, { from, count: limit, due })) ?? []).map((event) => this.#stored(event));
  }

  /** Events after a position, at most `limit`. @throws the errors of calls */
  async all({ after, limit, due }: { readonly after: Position; readonly limit: number; readonly due: number }): Promise<readonly StoredEvent[]> {
    const found: StoredEvent[] = [];
    let seenTo = after;
    for (let from = this.edge.startFor(after); ;) {
      const count = limit - found.length + SPARE;
      const raw = await (found.length === 0 ? this.#pageFrom(from, count, due) : this.calls.all({ from, count, due }));
      // The start is inclusive and its event already seen.
      for (const event of raw) if (isOurs(event) && event.position > seenTo) found.push(this.#stored(event));
      const last = raw.at(-1);
      const to = last === undefined ? from : Math.max(from, last.position);
      this.edge.scanned(from, to);
      if (found.length >= limit || raw.length < count) return found.slice(0, limit);
      from = seenTo = to;
    }
  }

  /** A page from a position where no event may start, which the server refuses. Usually it is the position just before an event. */
  async #pageFrom(from: Position, count: number, due: number): Promise<readonly Recorded[]> {
    for (const start of [from, from + 1]) {
      try {
        return await this.calls.all({ from: start, count, due });
      } catch (error) {
        if (!isInvalidPosition(error)) throw error;
      }
    }
    let start: Position | null = null;
    for await (const event of this.#backwards(due)) {
      if (event.position <= from) break;
      start = event.position;
    }
    return start === null ? [] : this.calls.all({ from: start, count, due });
  }

  /** The newest events of ours, oldest first. @throws the errors of calls */
  async newest(limit: number, due: number): Promise<readonly StoredEvent[]> {
    const found: StoredEvent[] = [];
    for await (const event of this.#backwards(due)) {
      if (isOurs(event)) found.push(this.#stored(event));
      if (found.length === limit) break;
    }
    return found.toReversed();
  }

  /**
   * The position of our newest event, 0 if there is none. Does not read back into the range known to be empty.
   * @throws the errors of calls; ServiceUnavailable from a server that does not have the event at `shown`
   */
  async head(due: number, shown: Position = 0): Promise<Position> {
    let from = this.edge.emptyTo;
    let end: Position | null = null;
    for await (const event of this.#backwards(due)) {
      end ??= event.position;
      if (isOurs(event)) this.edge.saw((from = event.position));
      if (event.position <= from) break;
    }
    if ((end ?? 0) < shown) throw new ServiceUnavailable('EventStoreDB answered from a server that lags behind its leader');
    if (end !== null) this.edge.scanned(from, end);
    return this.edge.newest;
  }

  /** All events backwards from the end, in growing pages. Each later page has its own deadline, because many system events may follow our newest event. */
  async *#backwards(due: number): AsyncGenerator<Recorded, void, void> {
    let from: Position | 'end' = 'end';
    let pageDue = due;
    for (let count = FIRST_BACK; ; count = Math.min(count * 4, MOST_BACK)) {
      const raw: readonly Recorded[] = await this.calls.all({ from, count, due: pageDue, backwards: true });
      pageDue = performance.now() + PAGE_MS;
      yield* raw;
      const last = raw.at(-1);
      if (last === undefined || raw.length < count) return;
      from = last.position;
    }
  }

  #stored(event: Recorded): StoredEvent {
    const { id, type, data, stream, revision, position } = event;
    this.edge.saw(position);
    return { id, type, data, meta: event.metadata as EventMeta, stream, revision, position };
  }
}

/**
 * False for system events, links and deletion markers, which begin with $, for the identity event, and for events without metadata, which other programs wrote.
 */
const isOurs = ({ type, stream, isJson, metadata }: Recorded): boolean =>
  !type.startsWith('$') && !stream.startsWith('$') && stream !== IDENTITY_STREAM && isJson && typeof metadata === 'object' && metadata !== null;
