import { setTimeout as pause } from 'node:timers/promises';
import type { StoredEvent } from '../../kernel/event.js';
import { EventsTooLarge, type EventStreamPublisher, type OutgoingEvent } from './event-stream-publisher.js';
import type { PublisherLog } from './kafka-log.js';

/** An event, and how it is sent. */
export interface Sending {
  readonly event: StoredEvent;
  readonly out: OutgoingEvent;
}

/** `stopping`: nothing more is begun. `cut`: what is under way is left. */
export interface StopSignals {
  readonly stopping: AbortSignal;
  readonly cut: AbortSignal;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** Sends batches until they are acknowledged: while the other side is away ever more slowly, which the log tells once, and once that it is back. */
export class PatientPublisher {
  #awaySince: number | null = null;

  constructor(
    private readonly publisher: EventStreamPublisher,
    private readonly log: PublisherLog,
    private readonly giveUp: (event: StoredEvent, error: unknown) => Promise<void>,
  ) {}

  /** True when each event of the batch was acknowledged or given up as too large; false when it was stopped before. */
  async publish(batch: readonly Sending[], signals: StopSignals): Promise<boolean> {
    if (batch.length === 0) return true;
    const outgoing = batch.map(({ out }) => out);
    for (let wait = FIRST_PAUSE_MS; !signals.stopping.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      try {
        await this.publisher.publish(outgoing, signals.cut);
        this.#isBack();
        return true;
      } catch (error) {
        if (error instanceof EventsTooLarge) return this.#inHalves(batch, error, signals);
        if (!signals.stopping.aborted) this.#isAway(error);
      }
      // An abort ends the pause with an error, and the loop.
      await pause(wait, undefined, { signal: signals.stopping }).catch(() => undefined);
    }
    return false;
  }

  /** Brokers count what comes at once: what is too large together may fit by halves. */
  async #inHalves(batch: readonly Sending[], error: EventsTooLarge, signals: StopSignals): Promise<boolean> {
    const [only] = batch;
    if (only !== undefined && batch.length === 1) {
      await this.giveUp(only.event, error);
      return true;
    }
    const half = Math.ceil(batch.length / 2);
    return (await this.publish(batch.slice(0, half), signals)) && this.publish(batch.slice(half), signals);
  }

  #isAway(error: unknown): void {
    if (this.#awaySince !== null) return;
    this.#awaySince = performance.now();
    this.log.error({ err: error }, 'Kafka is away: events wait in the log until it is back');
  }

  #isBack(): void {
    if (this.#awaySince === null) return;
    this.log.info({ seconds: Math.round((performance.now() - this.#awaySince) / 1_000) }, 'Kafka is back: publishing goes on');
    this.#awaySince = null;
  }
}
