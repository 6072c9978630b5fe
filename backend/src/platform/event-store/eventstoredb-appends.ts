import { ServiceUnavailable } from '../store-errors.js';
import type { EncodedEvent } from './check-append.js';
import type { EventStoreDbCalls } from './eventstoredb-calls.js';
import type { EventStoreDbReads } from './eventstoredb-reads.js';
import { neverSent, settle } from './eventstoredb-settling.js';
import { type Appended, type ExpectedRevision, WrongExpectedRevision } from './event-store.js';

interface Waiting {
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
  readonly due: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

const DEADLINE_MS = 6_000;
const MAX_QUEUED = 20_000;

/**
 * Queues this process's appends. Appends to one stream run one at a time in call order, each only after the outcome of the previous one is known.
 */
export class EventStoreDbAppends {
  readonly #lanes = new Map<string, Waiting[]>();
  readonly #running = new Set<Promise<void>>();
  #waiting = 0;
  #isClosed = false;

  constructor(
    private readonly calls: EventStoreDbCalls,
    private readonly reads: EventStoreDbReads,
  ) {}

  /** @throws WrongExpectedRevision, ServiceUnavailable, AppendTooLarge, Tombstoned */
  append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<Appended> {
    if (this.#isClosed) return Promise.reject(new ServiceUnavailable('the log is closed'));
    if (this.#waiting >= MAX_QUEUED) return Promise.reject(new ServiceUnavailable('too many appends are waiting'));
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { expected, events, due: performance.now() + DEADLINE_MS, resolve, reject };
      this.#waiting += 1;
      const lane = this.#lanes.get(stream);
      if (lane === undefined) this.#start(stream, [waiting]);
      else lane.push(waiting);
    });
  }

  /** Resolves when every accepted append is answered; later ones are refused. */
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
    for (let head = lane[0]; head !== undefined; head = lane[0]) {
      try {
        head.resolve(await this.#appendOne(stream, head));
      } catch (error) {
        head.reject(error);
      }
      lane.shift();
      this.#waiting -= 1;
    }
    this.#lanes.delete(stream);
  }

  async #appendOne(stream: string, { expected, events, due }: Waiting): Promise<Appended> {
    if (due <= performance.now()) throw neverSent();
    const outcome = await settle(this.calls, this.reads, { stream, expected, due }, events);
    if ('actual' in outcome) throw new WrongExpectedRevision(stream, expected, outcome.actual);
    this.reads.edge.saw(outcome.position);
    return outcome;
  }
}
