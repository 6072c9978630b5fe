import { DeadlineExceeded, within } from '../health/deadline.js';
import { restartOnFailure } from '../restart-on-failure.js';
import { InterruptibleSleep } from '../timers/interruptible-sleep.js';
import type { BackgroundLoop } from './background-loop.js';

/** How long {@link QueueLoop.stop} waits for work in progress. */
const STOP_MS = 2_000;

export interface QueueLoopParts {
  /** Works on everything that is due. */
  readonly round: (signal: AbortSignal) => Promise<void>;
  /** Milliseconds until the next round, for work that becomes due or that other processes queued. */
  readonly pollMs: number;
  /** Calls `wake` for work that this process queues, which begins a round at once. @returns unsubscribes */
  readonly onWork: (wake: () => void) => () => void;
  readonly onFailure: (error: unknown) => void;
  /** Resolves when nothing that a round began is in progress; for rounds that do not wait for it themselves. */
  readonly idle?: () => Promise<unknown>;
}

/** Works through a queue in the vault, round by round, until it is stopped. */
export class QueueLoop implements Omit<BackgroundLoop, 'name'> {
  private readonly sleep = new InterruptibleSleep();
  private running: { readonly stopping: AbortController; readonly ended: Promise<unknown> } | undefined;
  /** Resolves when nothing that was begun before the last stop is in progress. */
  private abandoned: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: QueueLoopParts) {}

  start(): Promise<void> {
    if (this.running !== undefined) return Promise.resolve();
    const { onWork, onFailure, idle } = this.parts;
    const stopping = new AbortController();
    const { signal } = stopping;
    const unsubscribe = onWork(() => this.sleep.interrupt());
    // A stop does not wait long for a round: what that is still working on, the next one would do a second time.
    const ended = this.abandoned
      .then(() => restartOnFailure(() => this.follow(signal), { signal, onFailure }))
      .finally(unsubscribe)
      .then(idle);
    this.running = { stopping, ended };
    return Promise.resolve();
  }

  /** Work that does not end in time is repeated after the next start. */
  async stop(): Promise<void> {
    const { running } = this;
    if (running === undefined) return;
    running.stopping.abort();
    this.sleep.interrupt();
    this.abandoned = running.ended.catch(() => undefined); // reported here
    await within(STOP_MS, running.ended).catch((error: unknown) => {
      if (!(error instanceof DeadlineExceeded)) throw error;
    });
    this.running = undefined;
  }

  private async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.sleep.arm();
      await this.parts.round(signal);
      if (!signal.aborted) await this.sleep.sleep(this.parts.pollMs);
    }
  }
}
