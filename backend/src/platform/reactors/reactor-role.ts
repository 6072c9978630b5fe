import { setTimeout as pause } from 'node:timers/promises';
import type { LeaseState, ReactorStatus, Replayed } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Reactor } from '../../kernel/reactor.js';
import { endlessTerm, type Lease, LeaseLost, type Term, whenAborted } from '../leases/lease.js';
import type { Orders } from '../leases/orders.js';
import { whileHolding } from '../leases/while-holding.js';
import type { ReadSide } from '../projections/read-side.js';
import { isFollowing, type OwnLoop } from './own-loop.js';
import { firstPosition, type ReactorParts, ReactorRunner } from './reactor-runner.js';
import { storedReactors } from './stored-reactors.js';
import { noteFirstCheckpoint } from './taken-checkpoint.js';

/** Something that is done where reactors run; a repeat does nothing. */
export interface Chore {
  readonly name: string;
  /** `start`: when a process begins to react; one that fails then is tried again soon. */
  readonly when: 'hourly' | 'start' | 'start and hourly';
  readonly run: () => Promise<unknown>;
}

/** Everything that one process at a time does of its own accord. */
export interface Reacting {
  readonly reactors: readonly Reactor[];
  readonly chores: readonly Chore[];
}

/** What reactors run with, who runs them, and where other processes ask. */
export interface ReactorRoleParts extends Omit<ReactorParts, 'besides'> {
  readonly lease: Lease;
  readonly orders: Orders;
  /** Chores ask read models: they wait until there are some. */
  readonly readSide: Pick<ReadSide, 'servedWithin'>;
  /** Whether this process may run them. */
  readonly reacts: boolean;
}

const HOUR_MS = 60 * 60_000;
/** As long at a time is waited for read models. */
const SERVED_MS = 1_000;
/** After so long a chore that failed is tried again. */
const AGAIN_MS = 30_000;

/** The reactors of this process, their loops and chores: run while it holds the reactors' lease. */
export class ReactorRole {
  private readonly stopping = new AbortController();
  private readonly besides: OwnLoop[] = [];
  /** What this program reacts with, here or elsewhere. */
  private reactors: readonly string[] = [];
  private runner: ReactorRunner | null = null;
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly parts: ReactorRoleParts) {}

  /** A loop that starts, stops and is told of with the reactors; said before they start. */
  beside(loop: OwnLoop): void {
    this.besides.push(loop);
  }

  /** Alone on its data it resolves when the reactors have begun; with others it begins to wait for its turn. Without the role it does nothing. */
  async start(reacting: Reacting): Promise<void> {
    const { lease, reacts } = this.parts;
    const { signal } = this.stopping;
    this.reactors = reacting.reactors.map(({ name }) => name);
    await this.noteFirstCheckpoints(reacting.reactors);
    if (!reacts) return;
    if (lease.isPermanent) {
      this.runner = this.begin(endlessTerm());
      await this.runner.start(reacting.reactors);
      this.doChores(reacting.chores, signal);
      return;
    }
    const onFailure = (error: unknown): void => this.parts.log.error({ err: error }, 'reactors cannot be run, trying again');
    this.work = whileHolding(lease, (term) => this.react(term, reacting), { signal, onFailure });
  }

  /**
   * Of this process while it reacts, else as it is written down. Of what is written down only what this program, with this environment, would do: a
   * reactor that is no more, or Kafka that was taken out of the environment, falls behind for ever and is nobody's trouble.
   */
  async status(): Promise<readonly ReactorStatus[]> {
    if (this.runner !== null) return this.runner.status();
    if (this.parts.lease.isPermanent) return [];
    const known = new Set([...this.reactors, ...this.besides.filter(isFollowing).map(({ name }) => name)]);
    const stored = await storedReactors(this.parts.vault, await this.parts.store.head());
    return stored.filter(({ reactor }) => known.has(reactor));
  }

  /**
   * Runs a reactor's parked reactions again (one, when a position is named), here or where reactors run. Null for an unknown reactor.
   * @throws Refused `role.away`, `role.busy`
   */
  async replay(name: string, position?: Position): Promise<Replayed | null> {
    if (this.runner !== null) return this.runner.replay(name, position);
    if (this.parts.lease.isPermanent) return null;
    return (await this.parts.orders.ask({ replay: name, ...(position === undefined ? {} : { position }) })) as Replayed | null;
  }

  /** Which process reacts: undefined when there can only be this one, null when none does. @throws StoreAway */
  async heldBy(): Promise<LeaseState | null | undefined> {
    return this.parts.lease.isPermanent ? undefined : this.parts.lease.state();
  }

  /** Whether no other process can react: what must be done once may then be done by whoever starts. */
  get isAlone(): boolean {
    return this.parts.lease.isPermanent;
  }

  /** Whether this process reacts. */
  isReacting(): boolean {
    return this.runner !== null;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    if (this.parts.lease.isPermanent) await this.runner?.stop();
    await this.work;
  }

  /** Whoever serves may append from now on: a new reactor must not start behind that, whichever process takes the lease first. */
  private async noteFirstCheckpoints(reactors: readonly Reactor[]): Promise<void> {
    const { vault, store } = this.parts;
    for (const reactor of reactors) await noteFirstCheckpoint(vault, reactor.name, () => firstPosition(reactor, store));
  }

  private begin(term: Term): ReactorRunner {
    return new ReactorRunner({ ...this.parts, besides: this.besides }, term);
  }

  private async react(term: Term, { reactors, chores }: Reacting): Promise<void> {
    const { log, orders } = this.parts;
    const runner = this.begin(term);
    const ended = whenAborted(term.signal).then(() => runner.stop());
    log.info({ fence: term.fence }, 'reactors run in this process');
    try {
      await runner.start(reactors);
      this.runner = runner;
      this.doChores(chores, term.signal);
      await orders.carryOut(term.signal, ({ replay, position }) => replayed(runner, term, { name: String(replay), position }));
      await ended;
    } finally {
      this.runner = null;
      await runner.stop();
      log.info({ fence: term.fence }, 'reactors do not run in this process any more');
    }
  }

  /** Each in its own time. Nobody waits for one that the end breaks off: it is done again, as all that a repeat does not harm. */
  private doChores(chores: readonly Chore[], signal: AbortSignal): void {
    for (const chore of chores) void this.doAgainAndAgain(chore, signal);
  }

  private async doAgainAndAgain({ name, when, run }: Chore, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await this.parts.readSide.servedWithin(SERVED_MS)));
    if (signal.aborted) return;
    for (let wait = when === 'hourly' ? HOUR_MS : 0; ; wait = (await this.isDone(name, run, signal)) ? HOUR_MS : AGAIN_MS) {
      if (wait === HOUR_MS && when === 'start') return;
      // An abort ends the pause with an error, and the loop.
      if (wait > 0) await pause(wait, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }

  private async isDone(name: string, run: () => Promise<unknown>, signal: AbortSignal): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (error) {
      if (!signal.aborted) this.parts.log.error({ err: error, chore: name }, 'a chore failed, trying again');
      return false;
    }
  }
}

/** @throws LeaseLost when the term ended meanwhile: some may not have been done */
async function replayed(
  runner: ReactorRunner,
  term: Term,
  asked: { readonly name: string; readonly position: string | number | undefined },
): Promise<Replayed | null> {
  const done = await runner.replay(asked.name, asked.position === undefined ? undefined : Number(asked.position));
  if (term.signal.aborted) throw new LeaseLost('the reactors stopped meanwhile');
  return done;
}
