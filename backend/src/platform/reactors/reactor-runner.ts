import { setTimeout as pause } from 'node:timers/promises';
import type { ParkedReaction, ReactorStatus, Replayed } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { Reactor } from '../../kernel/reactor.js';
import type { EventStore } from '../event-store/event-store.js';
import { restartOnFailure } from '../restart-on-failure.js';
import { endlessTerm, isTakenOver, LeaseLost, type Term } from '../leases/lease.js';
import type { Opened, OpenedEvents } from '../streams/opened-events.js';
import { followsLog, type BackgroundLoop } from './background-loop.js';
import { isTransient } from './is-transient.js';
import { Outage, OUTAGE_TIMES } from './outage.js';
import { ParkedReactions } from './parked-reactions.js';
import { CheckpointLost, noteFirstCheckpoint, TakenCheckpoint } from './taken-checkpoint.js';
import { positionOf } from '../projections/projection-batch.js';
import { openWithRetries } from '../projections/brief-retries.js';
import type { Vault } from '../vault/vault.js';
import type { Logger } from '../logger.js';

interface Running {
  readonly reactor: Reactor;
  readonly checkpoint: TakenCheckpoint;
  readonly outage: Outage;
  /** The last position that was handled, and the last one that was stored. */
  position: Position;
  noted: Position;
  /** One reaction of a reactor at a time, replayed ones included. */
  turn: Promise<unknown>;
}

const PAGE = 200;
const TRIES = 5;
/** Pause of a reactor's loop after an error that is not transient, in milliseconds. */
const FAILED_MS = 500;
/** How often a checkpoint that moved over unhandled events is stored, for processes that read it from the vault. */
const NOTE_MS = 1_000;

/** Where events come from, where checkpoints go, and which loops run beside the reactors. */
export interface ReactorParts {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly opened: OpenedEvents;
  readonly log: Logger;
  /** Loops that start and stop with the reactors, and show in their status. */
  readonly besides?: readonly BackgroundLoop[];
  /** Milliseconds before the first retry of a failed reaction; doubles with each further one (transient errors: with full jitter and a cap); 400 when missing. */
  readonly pauseMs?: number;
}

/** Delivers the log to reactors, each in its own loop from its own checkpoint, at least once and in order. */
export class ReactorRunner {
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[] = [];
  private readonly running = new Map<string, Running>();
  private readonly besides: readonly BackgroundLoop[];
  private parked: ParkedReactions | undefined;
  private noting: NodeJS.Timeout | undefined;

  /** @param term given up when another process has taken a checkpoint */
  constructor(
    private readonly parts: ReactorParts,
    private readonly term: Term = endlessTerm(),
  ) {
    this.besides = parts.besides ?? [];
  }

  /** Takes every checkpoint from its previous owner and continues from there. */
  async start(reactors: readonly Reactor[]): Promise<void> {
    const { vault } = this.parts;
    this.parked = await ParkedReactions.open(vault);
    for (const reactor of reactors) {
      const running = await this.take(reactor);
      this.running.set(reactor.name, running);
      let pauseMs = FAILED_MS;
      const onFailure = (error: unknown): void => void (pauseMs = this.failed(running, error));
      this.loops.push(restartOnFailure(() => this.follow(running), { signal: this.stopping.signal, onFailure, pauseMs: () => pauseMs }));
    }
    for (const loop of this.besides) await loop.start();
    if (this.term.fence !== null) this.noting = setInterval(() => [...this.running.values()].forEach((each) => void this.note(each)), NOTE_MS).unref();
  }

  /** How many positions each reactor is behind the log. */
  async lags(): Promise<ReadonlyMap<string, number>> {
    const head = await this.parts.store.head();
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
    return [...own, ...(await Promise.all(this.besides.filter(followsLog).map((loop) => loop.status())))];
  }

  /** Runs a reactor's parked reactions again (or only the one at `position`), in order; those that succeed are removed. Null for an unknown reactor. */
  async replay(name: string, position?: Position): Promise<Replayed | null> {
    const beside = this.besides.filter(followsLog).find((loop) => loop.name === name);
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
    await noteFirstCheckpoint(reactor, this.parts);
    const checkpoint = await TakenCheckpoint.take(this.parts.vault, reactor.name);
    const position = await checkpoint.position();
    const head = await this.parts.store.head();
    if (position > head) {
      this.parts.log.error({ reactor: reactor.name, checkpoint: position, head }, 'a reactor is ahead of the log: continuing from its end');
      await checkpoint.move(head);
    }
    const { pauseMs: baseMs = OUTAGE_TIMES.baseMs } = this.parts;
    const outage = new Outage(this.parts.log, { reactor: reactor.name }, { ...OUTAGE_TIMES, baseMs });
    return { reactor, checkpoint, outage, position: Math.min(position, head), noted: Math.min(position, head), turn: Promise.resolve() };
  }

  private async follow(running: Running): Promise<void> {
    const { reactor, checkpoint } = running;
    running.noted = await checkpoint.position();
    for await (const page of this.parts.store.subscribe({ after: running.noted, signal: this.stopping.signal, limit: PAGE })) {
      const mine = page.filter((event) => reactor.handles.has(this.parts.opened.newestType(event.type)));
      for (const opened of await openWithRetries(this.parts.opened, mine)) {
        if (!this.term.isHeld()) throw new LeaseLost('another process runs the reactors now');
        if (this.stopping.signal.aborted || !(await inTurn(running, () => this.answer(running, opened)))) return;
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
    running.outage.over();
  }

  /** Stores the position when it is past the stored one. */
  private async note(running: Running): Promise<void> {
    try {
      await inTurn(running, async () => {
        if (running.position > running.noted && !this.stopping.signal.aborted) await this.move(running, running.position);
      });
    } catch (error) {
      this.failed(running, error);
    }
  }

  /** @returns milliseconds to wait before the next try */
  private failed({ reactor, outage }: Running, error: unknown): number {
    if (isTransient(error)) return outage.failed(error);
    if (isTakenOver(error) || error instanceof CheckpointLost) this.term.giveUp();
    else this.parts.log.error({ err: error, reactor: reactor.name }, 'reactor failed, trying again');
    return FAILED_MS;
  }

  /**
   * An event that cannot be read, or whose reaction keeps failing, is parked: stored in the vault and logged, and the reactor continues with the next one.
   * @returns false when the runner stopped first
   */
  private async answer({ reactor, outage }: Running, { event, failure }: Opened): Promise<boolean> {
    if (failure !== undefined) {
      const { position, stream, type, reason } = failure;
      return this.park(reactor, { position, stream, type, reason }, failure);
    }
    const { position, stream, type } = event;
    for (let tried = 0; ;) {
      try {
        await reactor.react(event, this.stopping.signal);
        return true;
      } catch (error) {
        if (this.stopping.signal.aborted) return false;
        if (!isTransient(error)) tried += 1;
        if (tried >= TRIES) return this.park(reactor, { position, stream, type, reason: 'reaction' }, error);
        await this.waitAfter({ error, outage, tried, facts: { reactor: reactor.name, position, type, tried } });
      }
    }
  }

  private async waitAfter({ error, outage, tried, facts }: { error: unknown; outage: Outage; tried: number; facts: object }): Promise<void> {
    const { pauseMs = OUTAGE_TIMES.baseMs, log } = this.parts;
    if (!isTransient(error)) log.error({ err: error, ...facts }, 'reaction failed, trying again');
    const wait = isTransient(error) ? outage.failed(error) : pauseMs * 2 ** (tried - 1);
    await pause(wait, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private async park(reactor: Reactor, reaction: ParkedReaction, error: unknown): Promise<true> {
    this.parts.log.error({ err: error, reactor: reactor.name, ...reaction }, 'reaction parked');
    await this.parked?.park(reactor.name, reaction);
    return true;
  }

  /** False when it failed again; an event that is no longer in the log needs no reaction. */
  private async reactAgain(reactor: Reactor, position: Position): Promise<boolean> {
    const event = await this.eventAt(position);
    if (event === null) return true;
    try {
      for (const opened of await this.parts.opened.open([event])) await reactor.react(opened, this.stopping.signal);
      return true;
    } catch (error) {
      this.parts.log.error({ err: error, reactor: reactor.name, position, type: event.type }, 'parked reaction failed again');
      return false;
    }
  }

  private async eventAt(position: Position): Promise<StoredEvent | null> {
    const [event] = await this.parts.store.readAll({ after: position - 1, limit: 1 });
    return event?.position === position ? event : null;
  }
}

function inTurn<Answer>(running: Running, work: () => Promise<Answer>): Promise<Answer> {
  const mine = running.turn.then(work, work);
  running.turn = mine.catch(() => undefined);
  return mine;
}
