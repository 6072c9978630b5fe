import { setTimeout as pause } from 'node:timers/promises';
import type { ProjectionStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Projector } from '../../kernel/projector.js';
import type { DocumentStore } from '../documents/documents.js';
import type { EventStore } from '../event-store/event-store.js';
import { keepGoing } from '../keep-going.js';
import { fencedDocuments } from '../leases/fenced-documents.js';
import { endlessTerm, isOverFor, type Term } from '../leases/lease.js';
import type { OpenedEvents } from '../streams/opened-events.js';
import { positionOf } from './projection-batch.js';
import { type Generation, Generations, LOG_FACT, physicalName } from './projection-generations.js';
import { ProjectionPages } from './projection-pages.js';
import { statusOf } from './projection-status.js';
import type { ReadModels } from './read-models.js';
import type { ReadSide } from './read-side.js';

/** What runners say while they work. */
export interface ProjectionLog {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

interface Running {
  readonly projector: Projector;
  served: Generation;
  building: Generation | null;
}

/** What read models are built from, where they are kept, and who is told. */
export interface RunnerParts {
  readonly store: EventStore;
  readonly documents: DocumentStore;
  readonly opened: OpenedEvents;
  readonly reads: ReadModels;
  readonly readSide: ReadSide;
  readonly log: ProjectionLog;
  /** How long what was replaced stays for those who read it elsewhere and have not heard of it, in milliseconds. */
  readonly graceMs: number;
}

/** As many events at a time when somebody waits for answers. */
const PAGE = 200;
/** As many are read, and saved, at a time when nothing is served yet: a document that many events change is written once for all of them. */
const START = { page: 500, batch: 10_000 };
const PROGRESS_MS = 5_000;

/**
 * Reads the log in order and saves what projectors make of it, each batch together with the checkpoint it leads to. A rebuild fills a generation of
 * its own beside the served one, and takes its place when it has caught up.
 */
export class ProjectionRunner {
  private readonly store: EventStore;
  private readonly documents: DocumentStore;
  private readonly log: ProjectionLog;
  private readonly running = new Map<string, Running>();
  private readonly stopping = new AbortController();
  private readonly pages: ProjectionPages;
  private readonly work: Promise<void>[] = [];
  private generations: Generations | undefined;
  /** Whether what it built is what queries of this process read. */
  isServing = false;
  private turn: Promise<unknown> = Promise.resolve();

  /** @param term what is written is written under it, and nothing once it is over */
  constructor(
    readonly parts: RunnerParts,
    private readonly term: Term = endlessTerm(),
  ) {
    const { store, opened, log } = parts;
    this.store = store;
    this.log = log;
    this.documents = fencedDocuments(parts.documents, term);
    this.pages = new ProjectionPages({ store, documents: this.documents, opened, log });
  }

  /**
   * Catches every projector up with the log, then follows it until `stop`. Resolves when all have caught up. A projector whose version is another than
   * the stored one is built first: the queries of this program know its new shape alone. The old documents stay until then.
   */
  async start(projectors: readonly Projector[]): Promise<void> {
    const generations = await Generations.open(this.documents, this.term);
    this.generations = generations;
    await this.giveUpWhatIsNotOfThisLog(generations);
    for (const projector of projectors) this.running.set(projector.name, await prepare(generations, projector));
    await this.pages.advance(this.served(), { ...START, signal: this.stopping.signal, onPage: this.progress(await this.store.head()) });
    if (this.stopping.signal.aborted) return;
    for (const { served } of this.running.values()) if (generations.of(served.projector.name).served?.number !== served.number) await generations.serve(served);
    this.isServing = true;
    this.parts.reads.serve(this.served().flatMap(collectionsOf));
    for (const name of generations.names()) {
      if (!this.running.has(name)) await generations.giveUp(name);
      await this.drop(name);
    }
    this.parts.readSide.serve(await this.slowest());
    this.keep('projections failed, trying again', () => this.follow());
    if (this.parts.graceMs > 0)
      this.keep('what is left of former read models could not be dropped, trying again', () => this.dropOrphans(generations, projectors));
    for (const running of this.running.values()) if (running.building !== null) this.build(running, running.building);
  }

  async status(): Promise<readonly ProjectionStatus[]> {
    const head = await this.store.head();
    return [...this.running.values()].map(({ projector, served, building }) => ({
      projector: projector.name,
      ...statusOf(served, head),
      rebuild: building === null ? null : statusOf(building, head),
    }));
  }

  /** Begins to build a projector's documents anew, beside those that are served. Answers the number of the new generation, null for an unknown projector. */
  async rebuild(name: string): Promise<number | null> {
    const [running, generations] = [this.running.get(name), this.generations];
    if (running === undefined || generations === undefined || this.stopping.signal.aborted) return null;
    if (running.building !== null) return running.building.number;
    return this.inTurn(async () => {
      if (running.building !== null) return running.building.number;
      running.building = await generations.begin(running.projector);
      this.build(running, running.building);
      return running.building.number;
    });
  }

  /** Finishes the batch in hand. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.work);
  }

  private async giveUpWhatIsNotOfThisLog(generations: Generations): Promise<void> {
    // First how far they are, then where the log ends: who writes and who projects may have gone on in between.
    const furthest = new Map<string, Position>();
    for (const name of generations.names()) furthest.set(name, await generations.furthest(name));
    const head = await this.store.head();
    const builtFrom = await this.documents.fact(LOG_FACT);
    const isOther = builtFrom !== null && builtFrom !== this.store.identity;
    if (isOther) this.log.info({ builtFrom, log: this.store.identity }, 'read models belong to another log: building them anew');
    for (const [name, reached] of furthest) {
      const isBeyond = !isOther && reached > head;
      if (isBeyond) this.log.error({ projector: name, head }, 'read models are ahead of the log: building them anew');
      if (isOther || isBeyond) await generations.giveUp(name);
      if (this.parts.graceMs === 0) await generations.dropDiscarded(name);
    }
    await this.documents.setFact(LOG_FACT, this.store.identity);
  }

  private async follow(): Promise<void> {
    for await (const page of this.store.subscribe({ after: await this.slowest(), signal: this.stopping.signal, limit: PAGE })) {
      await this.inTurn(async () => {
        const events = await this.pages.open(page, this.served());
        await this.pages.apply(this.served(), events);
        const last = events.at(-1);
        if (last !== undefined) this.parts.readSide.saved.reach(positionOf(last));
      });
    }
  }

  private build(running: Running, building: Generation): void {
    this.log.info({ projector: running.projector.name, generation: building.number, checkpoint: building.checkpoint }, 'read model is being built anew');
    this.keep('rebuild failed, trying again', async () => {
      const { signal } = this.stopping;
      await this.pages.advance([building], { page: PAGE, batch: PAGE, signal });
      await this.inTurn(async () => {
        if (!signal.aborted) await this.pages.advance([building], { page: PAGE, batch: PAGE, signal, until: running.served.checkpoint });
        if (!signal.aborted) await this.swap(running, building);
      });
      if (!signal.aborted) await this.drop(running.projector.name);
    });
  }

  private async swap(running: Running, building: Generation): Promise<void> {
    await this.generations?.serve(building);
    Object.assign(running, { served: building, building: null });
    this.parts.reads.serve(collectionsOf(building));
    this.log.info({ projector: running.projector.name, generation: building.number, checkpoint: building.checkpoint }, 'rebuilt read model is served');
  }

  /** What was replaced or given up by now goes: at once, or when those who read it elsewhere have heard of it. */
  private async drop(name: string): Promise<void> {
    const { generations } = this;
    const { graceMs } = this.parts;
    if (generations === undefined) return;
    if (graceMs === 0) return generations.dropDiscarded(name);
    const numbers = generations.of(name).discarded.map(({ number }) => number);
    if (numbers.length === 0) return;
    this.keep('what was replaced could not be dropped, trying again', async () => {
      await pause(graceMs, undefined, { signal: this.stopping.signal });
      await generations.dropDiscarded(name, numbers);
    });
  }

  /** A save that was under way elsewhere has ended by then. */
  private async dropOrphans(generations: Generations, projectors: readonly Projector[]): Promise<void> {
    await pause(2 * this.parts.graceMs, undefined, { signal: this.stopping.signal });
    for (const projector of projectors) await generations.dropOrphans(projector);
  }

  /** As far as everything that is served has come. */
  private async slowest(): Promise<Position> {
    return Math.min(...this.served().map(({ checkpoint }) => checkpoint), await this.store.head());
  }

  private served(): readonly Generation[] {
    return [...this.running.values()].map(({ served }) => served);
  }

  private keep(failure: string, work: () => Promise<void>): void {
    const onFailure = (error: unknown): void => {
      if (isOverFor(error)) return this.term.giveUp();
      this.parts.readSide.fail(error);
      this.log.error({ err: error }, failure);
    };
    this.work.push(keepGoing(work, { signal: this.stopping.signal, onFailure }));
  }

  /** A page is applied, or a rebuilt generation takes its place: one at a time. */
  private inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const mine = this.turn.then(work, work);
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  /** Says now and then how far a long catching up has come. */
  private progress(head: Position): (position: Position) => void {
    let told = performance.now();
    return (position) => {
      if (performance.now() - told < PROGRESS_MS) return;
      told = performance.now();
      this.log.info({ position, head }, 'read models are catching up');
    };
  }
}

/** What is to be served, and what a rebuild that was broken off has built. Until its version is served, a generation is built first. */
async function prepare(generations: Generations, projector: Projector): Promise<Running> {
  const { served, building } = generations.of(projector.name);
  const unfinished = building?.version === projector.version ? building : null;
  if (building !== null && unfinished === null) await generations.abandon(projector.name);
  if (served?.version !== projector.version) {
    return { projector, served: await (unfinished === null ? generations.begin(projector) : generations.resume(projector, unfinished)), building: null };
  }
  return {
    projector,
    served: await generations.resume(projector, served),
    building: unfinished === null ? null : await generations.resume(projector, unfinished),
  };
}

const collectionsOf = ({ projector, number }: Generation): readonly (readonly [string, string])[] =>
  projector.collections.map(({ name }) => [name, physicalName(name, projector.version, number)]);
