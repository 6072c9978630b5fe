import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Projector } from '../kernel/projector.js';
import { Refused } from '../kernel/refusal.js';
import type { DocumentStore } from './documents/documents.js';
import type { EventStore } from './event-store/event-store.js';
import { keepGoing } from './keep-going.js';
import type { OpenedEvents } from './opened-events.js';
import { PositionSignal } from './position-signal.js';
import { applyBatch, parkedFact } from './projection-batch.js';
import { physicalName, type ReadModels } from './read-models.js';

/** What the runner says while it works. */
export interface ProjectionLog {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface ProjectionStatus {
  readonly projector: string;
  readonly version: number;
  readonly checkpoint: Position;
  /** Events between the checkpoint and the log's end. */
  readonly lag: number;
  readonly parkedStreams: readonly string[];
}

interface Running {
  readonly projector: Projector;
  readonly key: string;
  checkpoint: Position;
  readonly parked: Set<string>;
}

const PAGE = 200;
const READ_YOUR_WRITES_MS = 2_000;

/** Reads the log in order and saves what projectors make of it, each batch together with the checkpoint it leads to. */
export class ProjectionRunner {
  readonly saved = new PositionSignal();
  private readonly running: Running[] = [];
  private readonly stopping = new AbortController();
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: EventStore,
    private readonly documents: DocumentStore,
    private readonly reads: ReadModels,
    private readonly opened: OpenedEvents,
    private readonly log: ProjectionLog,
  ) {}

  /** Declares collections, catches every projector up with the log, then follows it until `stop`. Resolves when all have caught up. */
  async start(projectors: readonly Projector[]): Promise<void> {
    await this.dropWhatBelongsToAnotherLog(projectors);
    for (const projector of projectors) this.running.push(await this.prepare(projector));
    for (const running of this.running) await this.catchUp(running);
    this.saved.reach(await this.slowest());
    const onFailure = (error: unknown): void => this.log.error({ err: error }, 'projections failed, trying again');
    this.loop = keepGoing(() => this.follow(), { signal: this.stopping.signal, onFailure });
  }

  /**
   * Waits until the read models hold what was written (null: nothing was). Whoever writes then reads their own writes.
   * @throws Refused `store.away` when that takes over 2 s: what was written stands, and the same command sent again is answered from it
   */
  async hold(position: Position | null): Promise<void> {
    if (position !== null && !(await this.saved.waitFor(position, READ_YOUR_WRITES_MS))) throw new Refused('store.away');
  }

  async status(): Promise<readonly ProjectionStatus[]> {
    const head = await this.store.head();
    return this.running.map((running) => ({
      projector: running.projector.name,
      version: running.projector.version,
      checkpoint: running.checkpoint,
      lag: Math.max(0, head - running.checkpoint),
      parkedStreams: [...running.parked],
    }));
  }

  /** Finishes the batch in hand. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
    this.saved.close();
  }

  private async dropWhatBelongsToAnotherLog(projectors: readonly Projector[]): Promise<void> {
    const builtFrom = await this.documents.fact('log');
    if (builtFrom !== null && builtFrom !== this.store.identity) {
      this.log.info({ builtFrom, log: this.store.identity }, 'read models belong to another log: building them anew');
      for (const projector of projectors) {
        for (const collection of projector.collections) await this.documents.drop(physicalName(collection.name, projector.version), keyOf(projector));
        await this.documents.setFact(parkedFact(keyOf(projector)), '[]');
      }
    }
    await this.documents.setFact('log', this.store.identity);
  }

  private async prepare(projector: Projector): Promise<Running> {
    for (const collection of projector.collections) {
      await this.documents.declare({ name: physicalName(collection.name, projector.version), indexes: collection.indexes });
      this.reads.serve(collection.name, projector.version);
    }
    const key = keyOf(projector);
    return { projector, key, checkpoint: await this.documents.checkpoint(key), parked: await this.parked(key) };
  }

  private async parked(key: string): Promise<Set<string>> {
    return new Set(JSON.parse((await this.documents.fact(parkedFact(key))) ?? '[]') as readonly string[]);
  }

  private async catchUp(running: Running): Promise<void> {
    for (;;) {
      const page = await this.store.readAll({ after: running.checkpoint, limit: PAGE });
      if (page.length === 0 || this.stopping.signal.aborted) return;
      await this.apply(running, await this.opened.open(page));
    }
  }

  private async follow(): Promise<void> {
    const from = await this.slowest();
    for await (const page of this.store.subscribe({ after: from, signal: this.stopping.signal, limit: PAGE })) {
      const events = await this.opened.open(page);
      for (const running of this.running) {
        const fresh = events.filter((event) => event.position > running.checkpoint);
        if (fresh.length > 0) await this.apply(running, fresh);
      }
      const last = page.at(-1);
      if (last !== undefined) this.saved.reach(last.position);
    }
  }

  /** As far as every projector has come. */
  private async slowest(): Promise<Position> {
    return Math.min(...this.running.map((running) => running.checkpoint), await this.store.head());
  }

  private async apply(running: Running, events: readonly StoredEvent[]): Promise<void> {
    await applyBatch({ projector: running.projector, key: running.key, events, documents: this.documents, parked: running.parked, log: this.log });
    running.checkpoint = events.at(-1)?.position ?? running.checkpoint;
  }
}

const keyOf = (projector: Projector): string => `${projector.name}_v${projector.version}`;
