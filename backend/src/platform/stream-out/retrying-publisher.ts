import { setTimeout as pause } from 'node:timers/promises';
import type { StoredEvent } from '../../kernel/event.js';
import { EventsTooLarge, type EventStreamPublisher, type OutgoingEvent, PublishingRefused } from './event-stream-publisher.js';
import type { PublisherLogger } from './kafka-log.js';

/** A stored event and its outgoing form. */
export interface Sending {
  readonly event: StoredEvent;
  readonly out: OutgoingEvent;
}

/** `stopping`: start no more sends. `cut`: abandon the current one. */
export interface StopSignals {
  readonly stopping: AbortSignal;
  readonly cut: AbortSignal;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** Retries batches with backoff until they are acknowledged. Logs the start and the end of an outage once, and what an operator must change. */
export class RetryingPublisher {
  #outageSince: number | null = null;
  /** The last refusal that was logged in this outage. */
  #refusal: string | null = null;

  constructor(
    private readonly publisher: EventStreamPublisher,
    private readonly log: PublisherLogger,
    private readonly giveUp: (event: StoredEvent, error: unknown) => Promise<void>,
  ) {}

  /** True when each event was acknowledged or given up as too large; false when stopped before. */
  async publish(batch: readonly Sending[], signals: StopSignals): Promise<boolean> {
    if (batch.length === 0) return true;
    const outgoing = batch.map(({ out }) => out);
    try {
      return await this.#untilDone(() => this.publisher.publish(outgoing, signals.cut), signals);
    } catch (error) {
      if (error instanceof EventsTooLarge) return this.#inHalves(batch, error, signals);
      throw error;
    }
  }

  /** True when connected; false when stopped before. */
  connect(signals: StopSignals): Promise<boolean> {
    return this.#untilDone(() => this.publisher.connect(signals.cut), signals);
  }

  /** @throws EventsTooLarge */
  async #untilDone(call: () => Promise<void>, { stopping }: StopSignals): Promise<boolean> {
    for (let wait = FIRST_PAUSE_MS; !stopping.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      try {
        await call();
        this.#logRecovery();
        return true;
      } catch (error) {
        if (error instanceof EventsTooLarge) throw error;
        if (!stopping.aborted) this.#logOutage(error);
      }
      // An abort rejects the pause; the loop condition then ends the loop.
      await pause(wait, undefined, { signal: stopping }).catch(() => undefined);
    }
    return false;
  }

  /** Brokers limit the size of a whole batch, so halves may fit. */
  async #inHalves(batch: readonly Sending[], error: EventsTooLarge, signals: StopSignals): Promise<boolean> {
    const [only] = batch;
    if (only !== undefined && batch.length === 1) {
      await this.giveUp(only.event, error);
      return true;
    }
    const half = Math.ceil(batch.length / 2);
    return (await this.publish(batch.slice(0, half), signals)) && this.publish(batch.slice(half), signals);
  }

  #logOutage(error: unknown): void {
    if (error instanceof PublishingRefused) this.#logRefusal(error);
    if (this.#outageSince !== null) return;
    this.#outageSince = performance.now();
    if (!(error instanceof PublishingRefused)) this.log.error({ err: error }, 'Kafka is unavailable; events remain in the log until it is back');
  }

  #logRefusal(error: PublishingRefused): void {
    if (this.#refusal === error.message) return;
    this.#refusal = error.message;
    this.log.error({ err: error }, `events are not published. ${error.message}`);
  }

  #logRecovery(): void {
    if (this.#outageSince === null) return;
    this.log.info({ seconds: Math.round((performance.now() - this.#outageSince) / 1_000) }, 'Kafka is back; publishing continues');
    this.#outageSince = null;
    this.#refusal = null;
  }
}
