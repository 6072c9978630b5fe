import type { LeaseState, ReactorStatus, Replayed, Rewound, TimersStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Reactor } from '../../kernel/reactor.js';
import type { Clock } from '../clock.js';
import { endlessTerm, type Lease, LeaseLost, type Term, whenAborted } from '../leases/lease.js';
import type { OperatorRequest, OperatorRequests } from '../leases/operator-requests.js';
import { whileHolding } from '../leases/while-holding.js';
import type { TimerHandler } from '../timers/timer.js';
import { TimerRunner } from '../timers/timer-runner.js';
import { storedTimers } from '../timers/timer-status.js';
import type { Timers } from '../timers/timers.js';
import { followsLog, type BackgroundLoop } from './background-loop.js';
import { type Chore, type ChoreParts, Chores } from './chores.js';
import { type ReactorParts, ReactorRunner } from './reactor-runner.js';
import { storedReactors } from './stored-reactors.js';
import { noteFirstCheckpoint } from './taken-checkpoint.js';

/** Everything that one process at a time does in the background. */
export interface Reacting {
  readonly reactors: readonly Reactor[];
  readonly timers?: readonly TimerHandler[];
  readonly chores: readonly Chore[];
}

/** What reactors and timers run with, the lease that decides where, and operator requests sent by other processes. */
export interface ReactorRoleParts extends Omit<ReactorParts, 'besides'>, ChoreParts {
  readonly lease: Lease;
  readonly requests: OperatorRequests;
  readonly timers: Timers;
  readonly clock: Clock;
  /** Whether this process may hold the lease. */
  readonly reacts: boolean;
}

/** One kind of timers: seconds by which the oldest due one is late (0 when none is due), and how many are parked. */
export interface TimersHealth {
  readonly behindSeconds: number;
  readonly parked: number;
}

/** The reactors, timers, background loops and chores of this process; they run while it holds the reactors' lease. */
export class ReactorRole {
  private readonly stopping = new AbortController();
  /** What runs in a single process. */
  private reacting: Reacting | null = null;
  private readonly besides: BackgroundLoop[] = [];
  /** The names of this program's reactors and kinds of timers, wherever they run. */
  private reactors: readonly string[] = [];
  private kinds: readonly string[] = [];
  private runner: ReactorRunner | null = null;
  private timers: TimerRunner | null = null;
  private work: Promise<void> = Promise.resolve();
  private readonly chores: Chores;

  constructor(private readonly parts: ReactorRoleParts) {
    this.chores = new Chores(parts);
  }

  /** Adds a loop that starts and stops with the reactors and shows in their status; to be called before they start. */
  beside(loop: BackgroundLoop): void {
    this.besides.push(loop);
  }

  /** A single process resolves when the reactors run; one of several starts to wait for the lease. Without the role it only stores where new reactors start. */
  async start(reacting: Reacting): Promise<void> {
    const { lease, reacts } = this.parts;
    const { signal } = this.stopping;
    this.reactors = reacting.reactors.map(({ name }) => name);
    this.kinds = (reacting.timers ?? []).map(({ kind }) => kind);
    // Before this process serves anything: a new reactor must not skip what it appends, whichever process takes the lease first.
    for (const reactor of reacting.reactors) await noteFirstCheckpoint(reactor, this.parts);
    if (!reacts) return;
    if (lease.isPermanent) {
      await this.runHere(reacting);
      this.chores.start(reacting.chores, signal);
      return;
    }
    const onFailure = (error: unknown): void => this.parts.log.error({ err: error }, 'reactors cannot be run, trying again');
    this.work = whileHolding(lease, (term) => this.react(term, reacting), { signal, onFailure });
  }

  /**
   * From this process while it reacts, else from the stored checkpoints. Stored checkpoints of reactors that this program does not have (removed ones, or
   * Kafka without its variables) are left out: their lag grows for ever and means nothing.
   */
  async status(): Promise<readonly ReactorStatus[]> {
    if (this.runner !== null) return this.runner.status();
    if (this.parts.lease.isPermanent) return [];
    const known = new Set([...this.reactors, ...this.besides.filter(followsLog).map(({ name }) => name)]);
    const stored = await storedReactors(this.parts.vault, await this.parts.store.head());
    return stored.filter(({ reactor }) => known.has(reactor));
  }

  /** The timers of every kind, wherever they fire. Reads all of them. @throws ServiceUnavailable */
  timersStatus(): Promise<readonly TimersStatus[]> {
    return storedTimers(this.parts.vault, this.parts.clock(), this.kinds);
  }

  /** How late each kind's oldest due timer is, and how many are parked (at most 1,000 are counted). @throws ServiceUnavailable */
  async timersHealth(): Promise<Readonly<Record<string, TimersHealth>>> {
    const { timers, clock } = this.parts;
    const now = clock();
    const each = this.kinds.map(
      async (kind) => [kind, { behindSeconds: await timers.behindSeconds(kind, now), parked: (await timers.parked(kind)).length }] as const,
    );
    return Object.fromEntries(await Promise.all(each));
  }

  /** By chore of this process: seconds for which it has been failing. Empty where reactors do not run. */
  failingChores(): Readonly<Record<string, number>> {
    return this.chores.failingSeconds();
  }

  /**
   * Runs a reactor's parked reactions again (or only the one at `position`), here or where reactors run; for a kind of timers, makes the parked ones due
   * again. Null for an unknown name. @throws Refused `role.away`, `role.busy`
   */
  async replay(name: string, position?: Position): Promise<Replayed | null> {
    if (this.kinds.includes(name)) return { done: [], failed: [], timers: await this.parts.timers.replay(name, this.parts.clock()) };
    if (this.runner !== null) return this.runner.replay(name, position);
    if (this.parts.lease.isPermanent) return null;
    return (await this.parts.requests.send({ replay: name, ...(position === undefined ? {} : { position }) })) as Replayed | null;
  }

  /** Sets the checkpoint of a log follower back, here or where reactors run. Null for any other name. @throws Refused `role.away`, `role.busy` */
  async rewind(name: string, to: Position): Promise<Rewound | null> {
    if (this.runner !== null) return this.rewindHere(name, to);
    if (this.parts.lease.isPermanent) return null;
    return (await this.parts.requests.send({ rewind: name, to })) as Rewound | null;
  }

  /** Which process reacts: undefined when there can only be this one, null when none does. @throws ServiceUnavailable */
  async heldBy(): Promise<LeaseState | null | undefined> {
    return this.parts.lease.isPermanent ? undefined : this.parts.lease.state();
  }

  /** Whether no other process can react: then work that must be done once may be done at start. */
  get isAlone(): boolean {
    return this.parts.lease.isPermanent;
  }

  /**
   * Stops reactors, loops and timers of a single process, for writing history: reactions to it happen now, and would leave no earlier time for what follows them.
   * Does nothing in one of several processes. @returns what starts them again
   */
  async pause(): Promise<() => Promise<void>> {
    const { reacting } = this;
    if (reacting === null) return () => Promise.resolve();
    await this.stopHere();
    return () => this.runHere(reacting);
  }

  /** Whether this process reacts. */
  isReacting(): boolean {
    return this.runner !== null;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.stopHere();
    await this.work;
  }

  private async runHere(reacting: Reacting): Promise<void> {
    this.reacting = reacting;
    this.runner = this.begin(endlessTerm());
    this.timers = new TimerRunner(this.parts);
    await this.timers.start(reacting.timers ?? []);
    await this.runner.start(reacting.reactors);
  }

  private async stopHere(): Promise<void> {
    if (!this.parts.lease.isPermanent) return;
    await Promise.all([this.runner?.stop(), this.timers?.stop()]);
    this.runner = null;
  }

  /** Reactors are not rewound: they would act again on what they have acted on. */
  private async rewindHere(name: string, to: Position): Promise<Rewound | null> {
    return (
      (await this.besides
        .filter(followsLog)
        .find((loop) => loop.name === name)
        ?.rewind(to)) ?? null
    );
  }

  private begin(term: Term): ReactorRunner {
    return new ReactorRunner({ ...this.parts, besides: this.besides }, term);
  }

  private async react(term: Term, { reactors, chores, timers: handlers = [] }: Reacting): Promise<void> {
    const { log, requests } = this.parts;
    const runner = this.begin(term);
    const timers = new TimerRunner(this.parts, term);
    const stop = (): Promise<unknown> => Promise.all([runner.stop(), timers.stop()]);
    const ended = whenAborted(term.signal).then(stop);
    log.info({ fence: term.fence }, 'reactors run in this process');
    try {
      await timers.start(handlers);
      await runner.start(reactors);
      this.runner = runner;
      this.chores.start(chores, term.signal);
      await requests.process(term.signal, ({ rewind, to, ...replay }) =>
        rewind === undefined ? replayed(runner, term, replay) : this.rewindHere(String(rewind), Number(to)),
      );
      await ended;
    } finally {
      this.runner = null;
      this.chores.forget();
      await stop();
      log.info({ fence: term.fence }, 'reactors no longer run in this process');
    }
  }
}

/** @throws LeaseLost when the term ended before all were done */
async function replayed(runner: ReactorRunner, term: Term, { replay, position }: OperatorRequest): Promise<Replayed | null> {
  const done = await runner.replay(String(replay), position === undefined ? undefined : Number(position));
  if (term.signal.aborted) throw new LeaseLost('the reactors stopped before all chores were done');
  return done;
}
