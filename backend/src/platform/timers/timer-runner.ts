import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { backoffMs, type BackoffTimes } from '../backoff.js';
import type { Clock } from '../clock.js';
import { endlessTerm, isTakenOver, LeaseLost, type Term, whenAborted } from '../leases/lease.js';
import { isTransient } from '../reactors/is-transient.js';
import { Outage } from '../reactors/outage.js';
import { lastRestore } from '../vault/last-restore.js';
import type { Vault } from '../vault/vault.js';
import { DueTimers } from './due-timers.js';
import { InterruptibleSleep } from './interruptible-sleep.js';
import type { TimerHandler } from './timer.js';
import { type StoredTimer, timerOf } from './timer-records.js';
import type { Timers } from './timers.js';
import type { Logger } from '../logger.js';

/** What timers are fired with. */
export interface TimerRunnerParts {
  readonly timers: Timers;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Logger;
  /** How often timers that other processes have set are looked for, in milliseconds; {@link LOOK_MS} when missing. */
  readonly lookMs?: number;
  /** Between the tries of a timer whose handler fails. */
  readonly retryTimes?: BackoffTimes;
}

/** The longest sleep. It bounds how late a timer of another process fires. */
const LOOK_MS = 3_000;
const RETRY_TIMES: BackoffTimes = { baseMs: 1_000, capMs: 30_000 };
const TRIES = 5;
/** How many timers fire before those that came due meanwhile are looked for. */
const BATCH = 100;
/** After this many transient errors in a row the whole kind waits: the store is unavailable, not one stream busy. */
const UNAVAILABLE_AFTER_FAILURES = 3;

/** One kind's loop. */
interface Loop {
  readonly handler: TimerHandler;
  readonly due: DueTimers;
  /** Transient errors of the handler, and of the vault that the loop itself reads. */
  readonly outage: Outage;
  readonly ownOutage: Outage;
  readonly sleep: InterruptibleSleep;
}

/**
 * Fires due timers, one loop per kind, so that a slow handler holds up its own kind only, and in turns by author. A loop sleeps until its next timer is due and wakes early when
 * this process sets one. A timer is removed once its handler has succeeded; until then it fires again, after a restart as well.
 */
export class TimerRunner {
  private readonly stopping = new AbortController();
  private readonly loops = new Map<string, Loop>();
  private readonly lookMs: number;
  private running: Promise<unknown> = Promise.resolve();
  private forget: () => void = () => undefined;
  /** Timers of `drop` handlers that were due by then do not fire; 0 when nothing was ever restored. */
  private restoredAt: Instant = 0;

  /** @param term nothing fires once it is over */
  constructor(
    private readonly parts: TimerRunnerParts,
    private readonly term: Term = endlessTerm(),
  ) {
    this.lookMs = parts.lookMs ?? LOOK_MS;
  }

  /** Begins to fire. @throws ServiceUnavailable; Error for two handlers of one kind */
  async start(handlers: readonly TimerHandler[]): Promise<void> {
    const { vault, timers, log } = this.parts;
    this.restoredAt = await lastRestore(vault);
    for (const handler of handlers) {
      const { kind } = handler;
      if (this.loops.has(kind)) throw new Error(`two handlers for timers of the kind ${kind}`);
      const [outage, ownOutage] = [new Outage(log, { timers: kind }), new Outage(log, { timers: kind })];
      this.loops.set(kind, { handler, due: new DueTimers(timers, kind), outage, ownOutage, sleep: new InterruptibleSleep() });
    }
    this.forget = timers.onSet((kind) => this.loops.get(kind)?.sleep.interrupt());
    void whenAborted(this.term.signal).then(() => this.interruptAll());
    this.running = Promise.all([...this.loops.values()].map((loop) => this.follow(loop)));
  }

  /** Aborts the signal of handlers under way and waits for them. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.forget();
    this.interruptAll();
    await this.running;
  }

  private interruptAll(): void {
    for (const { sleep } of this.loops.values()) sleep.interrupt();
  }

  private async follow(loop: Loop): Promise<void> {
    const isOver = (): boolean => this.stopping.signal.aborted || this.term.signal.aborted;
    while (!isOver()) {
      loop.sleep.arm();
      const wait = await this.round(loop).catch((error: unknown) => this.failed(loop, error));
      if (!isOver()) await loop.sleep.sleep(wait);
    }
  }

  /** Fires some of what is due. @returns milliseconds to sleep: 0 after anything fired, since what is next has changed */
  private async round(loop: Loop): Promise<number> {
    const { due } = loop;
    const next = await due.look(this.parts.clock());
    loop.ownOutage.over();
    for (let fired = 0; fired < BATCH; fired += 1) {
      const stored = due.take();
      if (stored === undefined) return fired > 0 ? 0 : this.sleepUntil(next);
      if (this.stopping.signal.aborted) return 0;
      if (!this.term.isHeld()) throw new LeaseLost('another process fires the timers now');
      const backoff = await this.fire(loop, stored);
      if (backoff > 0) return backoff;
    }
    return 0;
  }

  private sleepUntil(next: Instant | null): number {
    return next === null ? this.lookMs : Math.min(Math.max(0, next - this.parts.clock()), this.lookMs);
  }

  /** @returns milliseconds for which the whole kind is to wait, 0 when it may continue */
  private async fire(loop: Loop, read: StoredTimer): Promise<number> {
    const { timers, log } = this.parts;
    const stored = await timers.unchanged(read);
    if (stored === null) return 0;
    const timer = timerOf(stored.body);
    if (loop.handler.afterRestore === 'drop' && timer.at <= this.restoredAt) {
      log.info({ timer }, 'timer dropped: it was due before the restore');
    } else {
      try {
        await loop.handler.fire(timer, this.stopping.signal);
      } catch (error) {
        return this.handlerFailed(loop, stored, error);
      }
    }
    await timers.finish(stored);
    loop.outage.over();
    return 0;
  }

  private async handlerFailed({ outage }: Loop, stored: StoredTimer, error: unknown): Promise<number> {
    if (this.stopping.signal.aborted) return 0;
    const { timers, clock, log, retryTimes = RETRY_TIMES } = this.parts;
    if (isTransient(error)) {
      const wait = outage.failed(error);
      await timers.retry(stored, clock() + wait);
      return outage.attempts < UNAVAILABLE_AFTER_FAILURES ? 0 : wait;
    }
    const tries = stored.body.tries + 1;
    const facts = { err: error, timer: timerOf(stored.body), tries };
    if (tries < TRIES) {
      log.error(facts, 'timer failed, trying again');
      await timers.retry(stored, clock() + backoffMs(tries, retryTimes), tries);
    } else {
      log.error(facts, 'timer parked');
      await timers.park(stored, tries);
    }
    return 0;
  }

  /** Of the loop itself. @returns milliseconds to wait before the next round */
  private failed({ handler, due, ownOutage }: Loop, error: unknown): number {
    due.clear();
    if (isTransient(error)) return ownOutage.failed(error);
    if (isTakenOver(error)) this.term.giveUp();
    else this.parts.log.error({ err: error, timers: handler.kind }, 'timers cannot be read, trying again');
    return this.lookMs;
  }
}
