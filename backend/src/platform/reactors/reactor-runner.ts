import { setTimeout as pause } from 'node:timers/promises';
import type { ParkedReaction, ReactorStatus, Replayed } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { Reactor } from '../../kernel/reactor.js';
import type { EventStore } from '../event-store/event-store.js';
import { keepGoing } from '../keep-going.js';
import { endlessTerm, isOverFor, LeaseLost, type Term } from '../leases/lease.js';
import type { Opened, OpenedEvents } from '../streams/opened-events.js';
import { isFollowing, type OwnLoop } from './own-loop.js';
import { isPassing } from './is-passing.js';
import { ParkedReactions } from './parked-reactions.js';
import { REACTOR_CHECKPOINTS, CheckpointLost, TakenCheckpoint } from './taken-checkpoint.js';
import { positionOf } from '../projections/projection-batch.js';
import type { ProjectionLog } from '../projections/projection-runner.js';
import { openWithRetries } from '../projections/tried-again.js';
import type { Vault } from '../vault/vault.js';

interface Running {
  readonly reactor: Reactor;
  readonly checkpoint: TakenCheckpoint;
  /** As far as everything was answered, and as far as that is written down. */
  position: Position;
  noted: Position;
  /** One reaction of a reactor at a time, the parked ones among them. */
  turn: Promise<unknown>;
}

const PAGE = 200;
const TRIES = 5;
const PAUSE_MS = 400;
/** As often what needed no answer is written down, for those who look from elsewhere. */
const NOTE_MS = 1_000;

/** How far every reactor has come that ever ran here, as it is written down, for when nothing runs. */
export async function storedReactors(vault: Vault, head: Position): Promise<readonly ReactorStatus[]> {
  await vault.declare({ name: REACTOR_CHECKPOINTS });
  const parked = await ParkedReactions.open(vault);
  const records = await vault.find<{ position: Position }>(REACTOR_CHECKPOINTS, {});
  return Promise.all(
    records.map(async ({ id, body: { position } }) => ({
      reactor: id,
      checkpoint: position,
      lag: Math.max(0, head - position),
      parked: await parked.of(id),
    })),
  );
}

/** What events are delivered from, and what goes on beside. */
export interface ReactorParts {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly opened: OpenedEvents;
  readonly log: ProjectionLog;
  /** Loops that start, stop and are told of with the reactors. */
  readonly besides?: readonly OwnLoop[];
  /** Milliseconds between the first failure of a reaction and its next try, each further one waits twice as long; 400 when missing. */
  readonly pauseMs?: number;
}

/** Delivers the log to reactors, each in its own loop from its own checkpoint, at least once and in order. */
export class ReactorRunner {
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[] = [];
  private readonly running = new Map<string, Running>();
  private readonly store: EventStore;
  private readonly opened: OpenedEvents;
  private readonly log: ProjectionLog;
  private readonly besides: readonly OwnLoop[];
  private parked: ParkedReactions | undefined;
  private noting: NodeJS.Timeout | undefined;

  /** @param term one that knows of rivals is given up when another process has taken a checkpoint */
  constructor(
    private readonly parts: ReactorParts,
    private readonly term: Term = endlessTerm(),
  ) {
    const { store, opened, log, besides = [] } = parts;
    this.store = store;
    this.opened = opened;
    this.log = log;
    this.besides = besides;
  }

  /** Takes every checkpoint from whoever had it, and goes on from there. */
  async start(reactors: readonly Reactor[]): Promise<void> {
    const { vault } = this.parts;
    this.parked = await ParkedReactions.open(vault);
    for (const reactor of reactors) {
      const running = await this.take(reactor);
      this.running.set(reactor.name, running);
      const onFailure = (error: unknown): void => this.failed(running, error);
      this.loops.push(keepGoing(() => this.follow(running), { signal: this.stopping.signal, onFailure }));
    }
    for (const loop of this.besides) await loop.start();
    if (this.term.fence !== null) this.noting = setInterval(() => [...this.running.values()].forEach((each) => void this.note(each)), NOTE_MS).unref();
  }

  /** How many positions each reactor is behind the log. */
  async lags(): Promise<ReadonlyMap<string, number>> {
    const head = await this.store.head();
    return new Map([...this.running].map(([name, { position }]) => [name, Math.max(0, head - position)]));
  }

  async status(): Promise<readonly ReactorStatus[]> {
    const lags = await this.lags();
    const own = await Promise.all(
      [...this.running].map(async ([name, { position }]) => ({
        reactor: name,
        checkpoint: position,
        lag: lags.get(name) ?? 0,
        parked: (await this.parked?.of(name)) ?? [],
      })),
    );
    return [...own, ...(await Promise.all(this.besides.filter(isFollowing).map((loop) => loop.status())))];
  }

  /** Runs a reactor's parked reactions again (one, when a position is named), in order; what is done is parked no more. Null for an unknown reactor. */
  async replay(name: string, position?: Position): Promise<Replayed | null> {
    const beside = this.besides.filter(isFollowing).find((loop) => loop.name === name);
    if (beside !== undefined) return beside.replay(position);
    const running = this.running.get(name);
    const { parked } = this;
    if (running === undefined || parked === undefined) return null;
    return inTurn(running, async () => {
      const done: Position[] = [];
      const failed: Position[] = [];
      for (const reaction of await parked.of(name)) {
        if (this.stopping.signal.aborted || (position !== undefined && reaction.position !== position)) continue;
        const isDone = await this.reactAgain(running.reactor, reaction.position);
        if (isDone) await parked.done(name, reaction.position);
        (isDone ? done : failed).push(reaction.position);
      }
      return { done, failed };
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.noting);
    await Promise.all([...this.loops, ...[...this.running.values()].map(({ turn }) => turn), ...this.besides.map((loop) => loop.stop())]);
  }

  private async take(reactor: Reactor): Promise<Running> {
    const { vault } = this.parts;
    const first = reactor.startsAt === 'end' ? await this.store.head() : 0;
    const checkpoint = await TakenCheckpoint.take(vault, reactor.name, first);
    const position = await checkpoint.position();
    const head = await this.store.head();
    if (position > head) {
      this.log.error({ reactor: reactor.name, checkpoint: position, head }, 'a reactor is ahead of the log: it goes on from its end');
      await checkpoint.move(head);
    }
    return { reactor, checkpoint, position: Math.min(position, head), noted: Math.min(position, head), turn: Promise.resolve() };
  }

  private async follow(running: Running): Promise<void> {
    const { reactor, checkpoint } = running;
    running.noted = await checkpoint.position();
    for await (const page of this.store.subscribe({ after: running.noted, signal: this.stopping.signal, limit: PAGE })) {
      const mine = page.filter((event) => reactor.handles.has(this.opened.newestType(event.type)));
      for (const opened of await openWithRetries(this.opened, mine)) {
        if (!this.term.isHeld()) throw new LeaseLost('another process reacts by now');
        if (this.stopping.signal.aborted || !(await inTurn(running, () => this.answer(reactor, opened)))) return;
        await inTurn(running, () => this.move(running, positionOf(opened)));
      }
      const last = page.at(-1);
      if (last !== undefined) running.position = last.position;
      if (mine.length === 0 && page.length === PAGE) await this.note(running);
    }
  }

  private async move(running: Running, position: Position): Promise<void> {
    await running.checkpoint.move(position);
    running.noted = position;
  }

  /** Writes down how far everything was answered, when that is further than what is written. */
  private async note(running: Running): Promise<void> {
    try {
      await inTurn(running, async () => {
        if (running.position > running.noted && !this.stopping.signal.aborted) await this.move(running, running.position);
      });
    } catch (error) {
      this.failed(running, error);
    }
  }

  private failed({ reactor }: Running, error: unknown): void {
    if (isOverFor(error) || error instanceof CheckpointLost) this.term.giveUp();
    else this.log.error({ err: error, reactor: reactor.name }, 'reactor failed, trying again');
  }

  /**
   * An event that cannot be read, or whose reaction fails again and again, is parked: noted in the vault and in the log, and the rest goes on.
   * @returns false when the end came first
   */
  private async answer(reactor: Reactor, { event, failure }: Opened): Promise<boolean> {
    if (failure !== undefined) {
      const { position, stream, type, reason } = failure;
      return this.park(reactor, { position, stream, type, reason }, failure);
    }
    for (let tried = 0; ;) {
      try {
        await reactor.react(event, this.stopping.signal);
        return true;
      } catch (error) {
        if (this.stopping.signal.aborted) return false;
        const { position, stream, type } = event;
        if (!isPassing(error)) tried += 1;
        if (tried >= TRIES) return this.park(reactor, { position, stream, type, reason: 'reaction' }, error);
        this.log.error({ err: error, reactor: reactor.name, position, type, tried }, 'reaction failed, trying again');
        const { pauseMs = PAUSE_MS } = this.parts;
        await pause(pauseMs * 2 ** Math.max(tried - 1, 0), undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }

  private async park(reactor: Reactor, reaction: ParkedReaction, error: unknown): Promise<true> {
    this.log.error({ err: error, reactor: reactor.name, ...reaction }, 'reaction parked');
    await this.parked?.park(reactor.name, reaction);
    return true;
  }

  /** False when it failed again; an event that the log does not hold any more needs no answer. */
  private async reactAgain(reactor: Reactor, position: Position): Promise<boolean> {
    const event = await this.eventAt(position);
    if (event === null) return true;
    try {
      for (const opened of await this.opened.open([event])) await reactor.react(opened, this.stopping.signal);
      return true;
    } catch (error) {
      this.log.error({ err: error, reactor: reactor.name, position, type: event.type }, 'parked reaction failed again');
      return false;
    }
  }

  private async eventAt(position: Position): Promise<StoredEvent | null> {
    const [event] = await this.store.readAll({ after: position - 1, limit: 1 });
    return event?.position === position ? event : null;
  }
}

function inTurn<Answer>(running: Running, work: () => Promise<Answer>): Promise<Answer> {
  const mine = running.turn.then(work, work);
  running.turn = mine.catch(() => undefined);
  return mine;
}
