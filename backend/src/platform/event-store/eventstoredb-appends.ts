import { StoreAway } from '../store-errors.js';
import type { EncodedEvent } from './check-append.js';
import type { EventStoreDbCalls } from './eventstoredb-calls.js';
import { meaningOf, portErrorOf } from './eventstoredb-errors.js';
import type { EventStoreDbReads } from './eventstoredb-reads.js';
import { again, areThese, neverSent, readSurely, settle } from './eventstoredb-settling.js';
import { APPEND_LIMIT_BYTES, type Appended, type ExpectedRevision, WrongExpectedRevision } from './event-store.js';
import { StreamTails, type Tail } from './stream-tails.js';

interface Waiting {
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
  readonly due: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

const DEADLINE_MS = 6_000;
const MOST_WAITING = 20_000;
const GROUP_EVENTS = 400;

/**
 * Appends of this process. Those on one stream go one after the other, in the order in which they were made, each only when it is known what became of the one before;
 * those at 'any' that wait for the same stream go together. 'any' is an exact revision too: the stream's end is looked up and expected, so that a repeat after a lost
 * answer is recognised however long it takes, which the server's own memory for 'any' does not promise.
 */
export class EventStoreDbAppends {
  readonly #lanes = new Map<string, Waiting[]>();
  readonly #tails = new StreamTails();
  readonly #running = new Set<Promise<void>>();
  #waiting = 0;
  #isClosed = false;

  constructor(
    private readonly calls: EventStoreDbCalls,
    private readonly reads: EventStoreDbReads,
  ) {}

  /** @throws WrongExpectedRevision, StoreAway, AppendTooLarge, Tombstoned */
  append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<Appended> {
    if (this.#isClosed) return Promise.reject(new StoreAway('the log is closed'));
    if (this.#waiting >= MOST_WAITING) return Promise.reject(new StoreAway('too many appends are waiting'));
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { expected, events, due: performance.now() + DEADLINE_MS, resolve, reject };
      this.#waiting += 1;
      const lane = this.#lanes.get(stream);
      if (lane === undefined) this.#start(stream, [waiting]);
      else lane.push(waiting);
    });
  }

  /** Ends when every append accepted so far is answered; later ones are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#running);
  }

  #start(stream: string, lane: Waiting[]): void {
    this.#lanes.set(stream, lane);
    const running = this.#run(stream, lane);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  async #run(stream: string, lane: Waiting[]): Promise<void> {
    // What is appended in this turn goes together.
    await Promise.resolve();
    for (let head = lane[0]; head !== undefined; head = lane[0]) {
      const group = head.expected === 'any' ? groupOf(lane) : [head];
      try {
        if (head.due <= performance.now()) throw neverSent();
        const answers = head.expected === 'any' ? await this.#appendAny(stream, group, head.due) : [await this.#appendAt(stream, head.expected, head)];
        answers.forEach((answer, index) => group[index]?.resolve(answer));
        this.#take(lane, answers.length);
      } catch (error) {
        for (const waiting of group) waiting.reject(error);
        this.#take(lane, group.length);
      }
    }
    this.#lanes.delete(stream);
  }

  #take(lane: Waiting[], count: number): void {
    this.#waiting -= lane.splice(0, count).length;
  }

  async #appendAt(stream: string, at: number | 'none', { expected, events, due }: Waiting): Promise<Appended> {
    try {
      const outcome = await settle(this.calls, this.reads, { stream, at, due }, events);
      if ('actual' in outcome) throw new WrongExpectedRevision(stream, expected, outcome.actual);
      this.#ends(stream, outcome, events);
      return outcome;
    } catch (error) {
      this.#tails.forget(stream);
      throw error;
    }
  }

  /** @returns the answers to the first of the group, at least one: a repeat is answered alone */
  async #appendAny(stream: string, group: readonly Waiting[], due: number): Promise<readonly Appended[]> {
    const [head] = group;
    const known = head && this.#tails.repeated(stream, idsOf(head.events));
    if (known) return [known];
    const all = group.flatMap(({ events }) => events);
    try {
      for (let tries = 1; ; tries += 1) {
        const tail = await this.#tail(stream, due);
        const repeated = head && (await this.#repeatAtEnd(stream, tail, head));
        if (repeated) return [repeated];
        const outcome = await settle(this.calls, this.reads, { stream, at: tail.revision < 0 ? 'none' : tail.revision, due }, all);
        if (!('actual' in outcome)) return await this.#answers(stream, group, outcome, due);
        this.#tails.forget(stream);
        if (tries > 1) await again({ error: new StoreAway(`others write on ${stream} without a pause`), stream, tries, due });
      }
    } catch (error) {
      this.#tails.forget(stream);
      throw error;
    }
  }

  /** Where the stream ends, as far as is known; another process may have gone on, which the append will tell. */
  async #tail(stream: string, due: number): Promise<Tail> {
    const known = this.#tails.get(stream);
    if (known !== undefined) return known;
    for (let tries = 1; ; tries += 1) {
      try {
        const newest = await this.reads.newestOf(stream, due);
        return { revision: newest?.revision ?? -1, position: newest?.position ?? 0, lastId: newest?.id ?? null };
      } catch (error) {
        if (meaningOf(error) !== 'unknown') throw portErrorOf(error, stream);
        await again({ error, stream, tries, due });
      }
    }
  }

  /** What the last append on the stream was answered, when this is the same once more, from whatever process. */
  async #repeatAtEnd(stream: string, tail: Tail, { events, due }: Waiting): Promise<Appended | null> {
    if (tail.lastId === null || tail.lastId !== events.at(-1)?.id.toLowerCase()) return null;
    const first = tail.revision - events.length + 1;
    if (first < 0) return null;
    const there = events.length === 1 ? null : await readSurely(this.reads, { stream, from: first, limit: events.length, due });
    return there === null || areThese(there, events) ? { revision: tail.revision, position: tail.position } : null;
  }

  /** The server tells where the last event of all lies; where the others of a group do has to be read. */
  async #answers(stream: string, group: readonly Waiting[], last: Appended, due: number): Promise<readonly Appended[]> {
    const all = group.flatMap(({ events }) => events);
    this.#ends(stream, last, all);
    const from = last.revision - all.length + 1;
    const stored = group.length === 1 ? [] : await readSurely(this.reads, { stream, from, limit: all.length, due });
    let count = 0;
    return group.map(({ events }, index) => {
      count += events.length;
      const position = index === group.length - 1 ? last.position : stored[count - 1]?.position;
      if (position === undefined) throw new StoreAway(`what was just appended to ${stream} cannot be read`);
      const appended = { revision: from + count - 1, position };
      this.#tails.remember(stream, idsOf(events), appended);
      return appended;
    });
  }

  #ends(stream: string, { revision, position }: Appended, events: readonly EncodedEvent[]): void {
    this.reads.edge.saw(position);
    const known = this.#tails.get(stream);
    // A repeat of an old append says nothing of where the stream ends now.
    if (known === undefined || revision > known.revision) this.#tails.set(stream, { revision, position, lastId: events.at(-1)?.id.toLowerCase() ?? null });
  }
}

const idsOf = (events: readonly EncodedEvent[]): readonly string[] => events.map(({ id }) => id.toLowerCase());

/** Those at the front of a lane that can be one append: all at 'any', no id twice, and not larger than one append may be. */
function groupOf(lane: readonly Waiting[]): readonly Waiting[] {
  const group: Waiting[] = [];
  const ids = new Set<string>();
  let bytes = 0;
  for (const waiting of lane) {
    const own = idsOf(waiting.events);
    bytes += waiting.events.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
    const fits = bytes <= APPEND_LIMIT_BYTES && ids.size + own.length <= GROUP_EVENTS;
    if (waiting.expected !== 'any' || (group.length > 0 && (!fits || own.some((id) => ids.has(id))))) break;
    for (const id of own) ids.add(id);
    group.push(waiting);
  }
  return group;
}
