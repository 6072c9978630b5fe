import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { EventStore } from '../event-store/event-store.js';
import { OpenedEvents } from '../streams/opened-events.js';
import { EVENT_STORE, LOG } from '../tokens.js';
import { type FeedListener, Lane } from './lane.js';
import { PUSH_SOURCES, type PushSource } from './live-message.js';
import { LiveReads } from './live-reads.js';
import { Topics } from './topics.js';
import type { Logger } from '../logger.js';

const MAIN = 'main';
const COMES_MS = 5_000;
/** How often joining prepares while the lanes go on, before it prepares while they wait. */
const PREPARATIONS = 2;

/** An answer, or the step that is left before there is one. */
export type Prepared<Answer> = { readonly answer: Answer } | { readonly finish: () => Promise<Answer> };

/** The lanes that follow the log. A socket enters a room while the lanes that feed it deliver nothing. */
@Injectable()
export class LiveFeed implements OnModuleDestroy {
  private readonly main: Lane;
  private readonly lanes: readonly Lane[];

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PUSH_SOURCES) sources: readonly PushSource[],
    @Inject(LOG) log: Logger,
    reads: LiveReads,
    opened: OpenedEvents,
    topics: Topics,
  ) {
    const parts = { store, opened, reads, topics, log };
    const laneOf = (source: PushSource): string => source.lane?.name ?? MAIN;
    const sourcesOf = (name: string): readonly PushSource[] => sources.filter((source) => laneOf(source) === name);
    const kindsOf = (name: string): readonly string[] => sourcesOf(name).flatMap(({ lane }) => lane?.kinds ?? []);
    const others = [...new Set(sources.map(laneOf))].filter((name) => name !== MAIN);
    this.main = new Lane(MAIN, null, sourcesOf(MAIN), parts);
    this.lanes = [this.main, ...others.map((name) => new Lane(name, kindsOf(name), sourcesOf(name), parts))];
  }

  /** The position up to which every lane that feeds a topic kind has delivered. */
  positionOf(kind: string): Position {
    return Math.min(...this.lanesOf(kind).map(({ position }) => position));
  }

  /** The newest position that any lane has delivered to a topic kind: joining reads access that holds it, so that no eviction is overlooked. */
  newestOf(kind: string): Position {
    return Math.max(...this.lanesOf(kind).map(({ position }) => position));
  }

  /** As {@link positionOf}, for all kinds. */
  get position(): Position {
    return Math.min(...this.lanes.map(({ position }) => position));
  }

  /** The lanes that feed a topic kind; the first is the main one. */
  lanesOf(kind: string): readonly Lane[] {
    return this.lanes.filter((lane) => lane.feeds(kind));
  }

  /**
   * Waits until a position that a client names has been delivered: a page may have been loaded a moment ahead of the feed. Only the main lane is waited for;
   * what the others deliver later is newer than what the page has.
   * @returns false when the log does not hold the position, or the lane takes over 5 s
   */
  async comesTo(position: Position): Promise<boolean> {
    if (position <= this.main.position) return true;
    return position <= (await this.store.head()) && (await this.main.comesTo(position, COMES_MS));
  }

  /**
   * Prepares something, then finishes it while no lane that feeds a topic kind delivers. Reading takes time that everybody would wait for, so the lanes go on
   * while it is prepared, and it is prepared again if they have delivered anything meanwhile; in a very busy log the last time while they wait.
   */
  async afterPreparing<Answer>(kind: string, prepare: (isPaused: boolean) => Promise<Prepared<Answer>>): Promise<Answer> {
    for (let tries = 0; tries < PREPARATIONS; tries += 1) {
      const before = this.deliveredTo(kind);
      const prepared = await prepare(false);
      if ('answer' in prepared) return prepared.answer;
      const done = await this.whilePaused(kind, async () => (this.deliveredTo(kind) === before ? { answer: await prepared.finish() } : null));
      if (done !== null) return done.answer;
    }
    return this.whilePaused(kind, async () => {
      const prepared = await prepare(true);
      return 'answer' in prepared ? prepared.answer : prepared.finish();
    });
  }

  /** Equal as long as no lane that feeds a topic kind has delivered anything. */
  private deliveredTo(kind: string): string {
    return this.lanesOf(kind)
      .map(({ position }) => position)
      .join();
  }

  /** Runs work while no lane that feeds a topic kind delivers. The main lane is held last, so that it never waits for a slower one. */
  private whilePaused<Answer>(kind: string, work: () => Promise<Answer>): Promise<Answer> {
    return this.lanesOf(kind).reduce((inner, lane) => () => lane.whilePaused(inner), work)();
  }

  async start(listener: FeedListener): Promise<void> {
    const head = await this.store.head();
    for (const lane of this.lanes) lane.start(head, listener);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.stop()));
  }
}
