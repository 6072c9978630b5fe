import { setTimeout as pause } from 'node:timers/promises';
import type { ProjectionStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { Projector } from '../../kernel/projector.js';
import { allSettled } from '../all-settled.js';
import type { DocumentStore } from '../documents/documents.js';
import type { EventStore } from '../event-store/event-store.js';
import { headCovering } from '../event-store/head-covering.js';
import { restartOnFailure } from '../restart-on-failure.js';
import { fencedDocuments } from '../leases/fenced-documents.js';
import { endlessTerm, isTakenOver, type Term } from '../leases/lease.js';
import type { OpenedEvents } from '../streams/opened-events.js';
import { LogTail } from './log-tail.js';
import { type Generation, Generations, LOG_FACT } from './projection-generations.js';
import { PAGE, ProjectionLane } from './projection-lane.js';
import { ProjectionPages } from './projection-pages.js';
import type { ReadModels } from './read-models.js';
import type { ReadSide } from './read-side.js';
import { Repairs } from './repairs.js';
import type { Logger } from '../logger.js';

/** What read models are built from, where they are stored, and where progress is reported. */
export interface RunnerDeps {
  readonly store: EventStore;
  readonly documents: DocumentStore;
  readonly opened: OpenedEvents;
  readonly reads: ReadModels;
  readonly readSide: ReadSide;
  readonly log: Logger;
  /** How long replaced documents are kept for other processes that have not noticed yet, in milliseconds. */
  readonly graceMs: number;
}

/** Large pages and batches while nothing is served yet, so that a document changed by many events is written only once. */
const START = { page: 500, batch: 10_000, chunkSize: Infinity };
const PROGRESS_MS = 5_000;
const NOT_DROPPED = 'replaced read models could not be dropped, trying again';

/**
 * Reads the log in order and saves the documents of all projectors, each in its own lane, and each batch together with its checkpoint. A rebuild fills a
 * new generation beside the served one, and replaces that when it has caught up.
 */
export class ProjectionRunner {
  private readonly store: EventStore;
  private readonly documents: DocumentStore;
  private readonly log: Logger;
  private readonly lanes = new Map<string, ProjectionLane>();
  private readonly stopping = new AbortController();
  private readonly pages: ProjectionPages;
  private readonly work: Promise<void>[] = [];
  private generations: Generations | undefined;
  /** Whether the queries of this process read the read models that it built. */
  isServing = false;
  /** The lanes that are currently failing, with the reason, so that an error that stops several of them is logged once. */
  private readonly failing = new Map<string, string>();

  /** @param term all writes happen under it, and none after it has ended */
  constructor(
    readonly deps: RunnerDeps,
    private readonly term: Term = endlessTerm(),
  ) {
    const { store, opened, log } = deps;
    this.store = store;
    this.log = log;
    this.documents = fencedDocuments(deps.documents, term);
    this.pages = new ProjectionPages({ store, documents: this.documents, opened, log });
  }

  /**
   * Catches every projector up with the log, then follows it until `stop`. Resolves when all have caught up. A projector whose version differs from the
   * stored one is built first, because the queries of this program know only the new shape; the old documents stay until then. A generation that has
   * parked a stream for an event that this program can read is rebuilt beside the served one.
   */
  async start(projectors: readonly Projector[]): Promise<void> {
    const { readSide, opened } = this.deps;
    const generations = await Generations.open(this.documents, this.term);
    this.generations = generations;
    await this.abandonOtherLogs(generations);
    const laneDeps = { ...this.deps, pages: this.pages, signal: this.stopping.signal };
    const repairs = new Repairs({ store: this.store, opened, generations });
    // All at once: on a server each takes several calls, and no read model advances meanwhile.
    for (const { served, building } of await allSettled(projectors.map((each) => () => repairs.prepare(each)))) {
      const lane = new ProjectionLane(laneDeps, served.projector, served);
      lane.building = building;
      this.lanes.set(served.projector.name, lane);
    }
    await this.pages.advance(this.served(), { ...START, signal: this.stopping.signal, onPage: this.progressLogger(await this.store.head()) });
    if (this.stopping.signal.aborted) return;
    for (const { served } of this.lanes.values()) if (generations.of(served.projector.name).served?.number !== served.number) await generations.serve(served);
    this.isServing = true;
    readSide.track(projectors);
    readSide.isBuiltHere = true;
    for (const lane of this.lanes.values()) lane.serve();
    for (const name of generations.names()) {
      if (!this.lanes.has(name)) await generations.abandonAll(name);
      this.drop(generations, name);
    }
    const caughtUp = await this.slowest();
    readSide.serve(caughtUp);
    this.follow(caughtUp);
    if (this.deps.graceMs > 0) this.runInBackground('orphaned read models could not be dropped, trying again', () => this.dropOrphans(generations, projectors));
    for (const lane of this.lanes.values()) if (lane.building !== null) this.build(lane, lane.building);
  }

  async status(): Promise<readonly ProjectionStatus[]> {
    const head = await this.store.head();
    return [...this.lanes.values()].map((lane) => ({ projector: lane.projector.name, ...lane.status(head) }));
  }

  /** Starts to rebuild a projector's documents beside the served ones. @returns the number of the new generation; null if there is no such projector */
  async rebuild(name: string): Promise<number | null> {
    const [lane, generations] = [this.lanes.get(name), this.generations];
    if (lane === undefined || generations === undefined || this.stopping.signal.aborted) return null;
    if (lane.building !== null) return lane.building.number;
    return lane.inTurn(async () => {
      if (lane.building !== null) return lane.building.number;
      lane.building = await generations.begin(lane.projector);
      this.build(lane, lane.building);
      return lane.building.number;
    });
  }

  /** Finishes the current batch first. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.work);
  }

  private async abandonOtherLogs(generations: Generations): Promise<void> {
    // The checkpoints first, then the end of the log: another process may advance both in between.
    const checkpoints = generations.names().map((name) => async () => [name, await generations.highestCheckpoint(name)] as const);
    const reachedBy = new Map(await allSettled(checkpoints));
    const builtFrom = await this.documents.fact(LOG_FACT);
    const isOther = builtFrom !== null && builtFrom !== this.store.identity;
    const head = isOther ? await this.store.confirmedHead() : await headCovering(this.store, Math.max(0, ...reachedBy.values()));
    if (isOther) this.log.info({ builtFrom, log: this.store.identity }, 'read models belong to another log: rebuilding them');
    for (const [name, reached] of reachedBy) {
      const isBeyond = !isOther && reached > head;
      if (isBeyond) this.log.error({ projector: name, head }, 'read models are ahead of the log: rebuilding them');
      if (isOther || isBeyond) await generations.abandonAll(name);
      // Before anything is built, for the space; what cannot be dropped now is tried again once read models are served.
      if (this.deps.graceMs === 0)
        await generations.dropDiscarded(name).catch((error: unknown) => this.log.error({ err: error, projector: name }, NOT_DROPPED));
    }
    await this.documents.setFact(LOG_FACT, this.store.identity);
  }

  private follow(start: Position): void {
    const open = (page: readonly StoredEvent[]) => this.pages.open(page, this.served());
    const tail = new LogTail({ store: this.store, open, signal: this.stopping.signal, page: PAGE }, start);
    for (const lane of this.lanes.values()) {
      const { name } = lane.projector;
      this.runInBackground('projection failed, trying again', () => lane.follow(tail, () => this.failing.delete(name)), name);
    }
  }

  private build(lane: ProjectionLane, building: Generation): void {
    const { name } = lane.projector;
    this.log.info({ projector: name, generation: building.number, checkpoint: building.checkpoint }, 'rebuilding a read model');
    this.runInBackground('rebuild failed, trying again', async () => {
      if (this.generations === undefined) return;
      await lane.build(this.generations, building);
      // Work of its own: repeating a build whose generation is served already would apply events to it twice.
      if (!this.stopping.signal.aborted) this.drop(this.generations, name);
    });
  }

  /** Drops replaced and abandoned generations: immediately, or once readers in other processes must have noticed the replacement. */
  private drop(generations: Generations, name: string): void {
    const { graceMs } = this.deps;
    const numbers = generations.of(name).discarded.map(({ number }) => number);
    if (numbers.length === 0) return;
    this.runInBackground(NOT_DROPPED, async () => {
      if (graceMs > 0) await pause(graceMs, undefined, { signal: this.stopping.signal });
      await generations.dropDiscarded(name, numbers);
    });
  }

  /** Waits first, until any save that was in progress in another process must have ended. */
  private async dropOrphans(generations: Generations, projectors: readonly Projector[]): Promise<void> {
    await pause(2 * this.deps.graceMs, undefined, { signal: this.stopping.signal });
    for (const projector of projectors) await generations.dropOrphans(projector);
  }

  private async slowest(): Promise<Position> {
    return Math.min(...this.served().map(({ checkpoint }) => checkpoint), await this.store.head());
  }

  private served(): readonly Generation[] {
    return [...this.lanes.values()].map(({ served }) => served);
  }

  /** Restarts the work after each failure, until the runner stops. */
  private runInBackground(failure: string, work: () => Promise<void>, projector?: string): void {
    const onFailure = (error: unknown): void => {
      if (isTakenOver(error)) return this.term.giveUp();
      this.deps.readSide.fail(error, projector);
      if (projector === undefined || this.isNewFailure(projector, error))
        this.log.error({ err: error, ...(projector === undefined ? {} : { projector }) }, failure);
    };
    this.work.push(restartOnFailure(work, { signal: this.stopping.signal, onFailure }));
  }

  /** Whether no other lane is failing for the same reason already. */
  private isNewFailure(projector: string, error: unknown): boolean {
    const reason = String(error);
    const isKnown = [...this.failing].some(([other, why]) => other !== projector && why === reason);
    this.failing.set(projector, reason);
    return !isKnown;
  }

  private progressLogger(head: Position): (position: Position) => void {
    let reportedAt = performance.now();
    return (position) => {
      if (performance.now() - reportedAt < PROGRESS_MS) return;
      reportedAt = performance.now();
      this.log.info({ position, head }, 'read models are catching up');
    };
  }
}
