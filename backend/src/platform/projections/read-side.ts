import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Projector } from '../../kernel/projector.js';
import { Refused } from '../../kernel/refusal.js';
import type { PositionSignal } from './position-signal.js';
import { type ParkedNames, ReadProgress } from './read-progress.js';
import { inScope, recordWrite } from './read-scope.js';

const READ_YOUR_WRITES_MS = 2_000;
/** How many users' last writes are remembered. Read models lag by a few seconds at most, and fewer users write in that time. */
const WRITERS = 10_000;

/** What was written (null: nothing) on which stream, by whom (null: the system). */
export interface Write {
  readonly stream: string;
  readonly position: Position | null;
  readonly uid: Uid | null;
}

/**
 * How far each projector's read models are, as far as this process knows, and waiting for them. The process that builds them knows immediately; all others
 * poll the stored state. Only the runner or the follower calls `track`, `serve`, `reach`, `withdraw` and `fail`.
 */
export class ReadSide {
  private readonly all: ReadProgress;
  private readonly projectors = new Map<string, ReadProgress>();
  private readonly collections = new Map<string, ReadProgress>();
  private readonly written = new LRUCache<Uid, Position>({ max: WRITERS });
  private areServed = false;
  /** Whether this process builds the read models and therefore knows at once what is parked. */
  isBuiltHere = false;
  private readonly waiting = new Set<() => void>();

  /**
   * @param onWaiting called whenever something begins to wait for a position that is not reached yet
   * @param maxWaitMs how long {@link waitFor} waits, in milliseconds
   */
  constructor(
    private readonly onWaiting?: () => void,
    readonly maxWaitMs = READ_YOUR_WRITES_MS,
  ) {
    this.all = new ReadProgress(onWaiting, maxWaitMs);
  }

  /** The position of the slowest projector: everything served has reached it. */
  get saved(): PositionSignal {
    return this.all.saved;
  }

  /** Whether read models of this program's versions are served. Before that, every query is refused. */
  get isServed(): boolean {
    return this.areServed;
  }

  track(projectors: readonly Projector[]): void {
    for (const { name, collections } of projectors) {
      const progress = this.projectors.get(name) ?? new ReadProgress(this.onWaiting, this.maxWaitMs);
      this.projectors.set(name, progress);
      for (const collection of collections) this.collections.set(collection.name, progress);
    }
  }

  /** The position of the projector that fills a collection; that of the slowest one when no tracked projector does. */
  of(collection: string): ReadProgress {
    return this.collections.get(collection) ?? this.all;
  }

  /**
   * Waits until the read models of these collections, or all of them, contain a write (null: nothing was written).
   * @throws Refused `store.away`, or DiskFull, if that takes over 2 s. The write is durable: sending the same command again returns its result
   */
  async waitFor(position: Position | null, collections?: readonly string[]): Promise<void> {
    if (position === null) return;
    const behind = [...this.among(collections)].filter(({ saved }) => saved.position < position);
    if (behind.length > 0) await Promise.all(behind.map((each) => each.waitFor(position)));
  }

  /** Waits as long as {@link waitFor} but never refuses: for writes that have taken effect whether or not they can be read yet. */
  async waitBestEffort(position: Position | null, collections?: readonly string[]): Promise<void> {
    if (position !== null) await Promise.all([...this.among(collections)].map((each) => each.waitBestEffort(position)));
  }

  /**
   * To be called after each write: waits until these collections contain it, and remembers it for the person's next requests ({@link lastWriteOf}). After a
   * write by the system it waits for all collections, because reactors may read any of them next.
   * @throws like {@link waitFor}
   */
  async wrote(write: Write, collections: readonly string[]): Promise<void> {
    const { stream, position, uid } = write;
    if (position === null) return;
    this.remember(write);
    recordWrite(stream, position);
    await this.waitFor(position, uid === null ? undefined : collections);
  }

  /** Remembers a write for {@link lastWriteOf}, without waiting. */
  remember({ position, uid }: Pick<Write, 'position' | 'uid'>): void {
    if (uid !== null && position !== null) this.written.set(uid, Math.max(position, this.lastWriteOf(uid)));
  }

  /** The position of a person's last write through this process; 0 if none is remembered. */
  lastWriteOf(uid: Uid): Position {
    return this.written.get(uid) ?? 0;
  }

  /**
   * Makes the answer to a write. Each read waits until its read model contains the write, and is refused if the projector has parked the stream (see
   * `ReadModels.asOf`).
   */
  async answer<Answer>({ stream, position }: Pick<Write, 'stream' | 'position'>, make: () => Promise<Answer>): Promise<Answer> {
    if (position === null) return make();
    // Projectors that keep up save together, so after one turn of the event loop all have caught up and no read has to wait.
    if (this.saved.position < position) await nextTurn();
    const isParked = [...this.projectors.values()].some(({ parked }) => parked.has(stream));
    if (this.isBuiltHere && !isParked && this.saved.position >= position) return make();
    return inScope({ position, stream }, make);
  }

  /** @throws Refused `stream.unreadable` when one of the collections would not show what is written on a stream, as far as this process knows */
  requireReadable(stream: string, collections: readonly string[]): void {
    if (collections.some((collection) => this.of(collection).parked.has(stream))) throw new Refused('stream.unreadable');
  }

  get isAwaited(): boolean {
    return [this.all, ...this.projectors.values()].some(({ saved }) => saved.isAwaited);
  }

  /** Resolves to true when read models are served, to false on a timeout (in milliseconds). */
  servedWithin(milliseconds: number): Promise<boolean> {
    if (this.areServed) return Promise.resolve(true);
    return new Promise((answer) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        answer(this.areServed);
      };
      const timer = setTimeout(done, milliseconds);
      this.waiting.add(done);
    });
  }

  /** Records that read models of this program's versions are served and contain everything up to a position. */
  serve(position: Position): void {
    this.areServed = true;
    for (const done of this.waiting) done();
    for (const { saved } of this.projectors.values()) saved.reach(position);
    this.all.saved.reach(position);
  }

  /** Records that a projector's documents contain everything up to a position. */
  reach(projector: string, position: Position): void {
    this.projectors.get(projector)?.saved.reach(position);
    let slowest = Infinity;
    for (const { saved } of this.projectors.values()) slowest = Math.min(slowest, saved.position);
    if (slowest < Infinity) this.all.saved.reach(slowest);
  }

  parkedBy(projector: string, streams: ParkedNames): void {
    const progress = this.projectors.get(projector);
    if (progress !== undefined) progress.parked = streams;
  }

  /** Records that the served read models are no longer those of this program's versions. */
  withdraw(): void {
    this.areServed = false;
  }

  /** Records why a projector fails, for the errors of later timeouts. */
  fail(error: unknown, projector?: string): void {
    this.all.fail(error);
    if (projector !== undefined) this.projectors.get(projector)?.fail(error);
  }

  /** Ends every wait. */
  close(): void {
    for (const { saved } of [this.all, ...this.projectors.values()]) saved.close();
    for (const done of this.waiting) done();
  }

  private among(collections?: readonly string[]): ReadonlySet<ReadProgress> {
    return new Set(collections === undefined ? [this.all] : collections.map((collection) => this.of(collection)));
  }
}
