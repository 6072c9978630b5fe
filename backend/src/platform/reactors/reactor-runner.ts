import { setMaxListeners } from 'node:events';
import type { ReactorStatus, Replayed } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { Reactor } from '../../kernel/reactor.js';
import type { EventStore } from '../event-store/event-store.js';
import { headCovering } from '../event-store/head-covering.js';
import { endlessTerm, type Term } from '../leases/lease.js';
import type { Logger } from '../logger.js';
import { restartOnFailure } from '../restart-on-failure.js';
import type { OpenedEvents } from '../streams/opened-events.js';
import type { Vault } from '../vault/vault.js';
import { followsLog, type BackgroundLoop } from './background-loop.js';
import { Outage, OUTAGE_TIMES } from './outage.js';
import { ParkedReactions } from './parked-reactions.js';
import { ReactorProgress } from './reactor-progress.js';
import { RunningReactor } from './running-reactor.js';
import { noteFirstCheckpoint, TakenCheckpoint } from './taken-checkpoint.js';

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

/** Delivers the log to reactors, each in its own loop from its own checkpoint, at least once and in order within a stream. */
export class ReactorRunner {
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[] = [];
  private readonly running = new Map<string, RunningReactor>();
  private readonly besides: readonly BackgroundLoop[];
  private parked: ParkedReactions | undefined;
  private noting: NodeJS.Timeout | undefined;

  /** @param term given up when another process has taken a checkpoint */
  constructor(
    private readonly parts: ReactorParts,
    private readonly term: Term = endlessTerm(),
  ) {
    this.besides = parts.besides ?? [];
    // Every reactor and each of its running reactions listens.
    setMaxListeners(0, this.stopping.signal);
  }

  /** Takes every checkpoint from its previous owner and continues from there. */
  async start(reactors: readonly Reactor[]): Promise<void> {
    const { vault } = this.parts;
    this.parked = await ParkedReactions.open(vault);
    for (const reactor of reactors) {
      const running = await this.take(reactor, this.parked);
      this.running.set(reactor.name, running);
      let pauseMs = 0;
      const onFailure = (error: unknown): void => void (pauseMs = running.failed(error));
      this.loops.push(restartOnFailure(() => running.follow(), { signal: this.stopping.signal, onFailure, pauseMs: () => pauseMs }));
    }
    for (const loop of this.besides) await loop.start();
    if (this.term.fence !== null) this.noting = setInterval(() => [...this.running.values()].forEach((each) => void each.note()), NOTE_MS).unref();
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
    const done: Position[] = [];
    const failed: Position[] = [];
    for (const reaction of await parked.of(name)) {
      if (this.stopping.signal.aborted || (position !== undefined && reaction.position !== position)) continue;
      const isDone = await running.inLane(reaction.stream, () => this.reactAgain(running.reactor, reaction.position));
      if (isDone) await parked.done(name, reaction.position);
      (isDone ? done : failed).push(reaction.position);
    }
    return { done, failed };
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.noting);
    await Promise.all([...this.loops, ...this.besides.map((loop) => loop.stop())]);
    await Promise.all([...this.running.values()].map((each) => each.idle()));
  }

  private async take(reactor: Reactor, parked: ParkedReactions): Promise<RunningReactor> {
    const { vault, store, opened, log, pauseMs = OUTAGE_TIMES.baseMs } = this.parts;
    await noteFirstCheckpoint(reactor, this.parts);
    const checkpoint = await TakenCheckpoint.take(vault, reactor.name);
    let progress = await checkpoint.progress();
    const head = await headCovering(store, progress.position);
    if (progress.position > head) {
      log.error({ reactor: reactor.name, checkpoint: progress.position, head }, 'a reactor is ahead of the log: continuing from its end');
      progress = { position: head, finished: [] };
      await checkpoint.move(progress);
    }
    const outage = new Outage(log, { reactor: reactor.name }, { ...OUTAGE_TIMES, baseMs: pauseMs });
    const { term } = this;
    const { signal } = this.stopping;
    return new RunningReactor(reactor, new ReactorProgress(progress), { store, opened, log, checkpoint, parked, outage, term, signal, pauseMs });
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
