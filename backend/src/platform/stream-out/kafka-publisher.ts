import type { Admin, Kafka } from 'kafkajs';
import { within } from '../health/deadline.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { EventStreamPublisher, OutgoingEvent } from './event-stream-publisher.js';
import type { KafkaAccess } from './kafka-access.js';
import { disconnect, kafkaClient } from './kafka-client.js';
import { toPortError } from './kafka-errors.js';
import type { PublisherLogger } from './kafka-log.js';
import { ensureTopic, partitionsOf, safetyOf, type TopicSafety, type WantedSafety, weaknessOf } from './kafka-topic.js';
import { PartitionProducers } from './partition-producers.js';

export interface KafkaPublisherOptions extends KafkaAccess {
  readonly topic: string;
  /** The safety of a topic that is created, and the least that an existing one should have; the broker's defaults when missing. */
  readonly safety?: TopicSafety<number | null>;
  /** How often to look for partitions that were added; every minute when missing. */
  readonly lookMs?: number;
  readonly log: PublisherLogger;
}

/** Connected producers, and the topic's partitions as of `seenAt`. */
interface Connected {
  readonly producers: PartitionProducers;
  readonly partitions: number;
  readonly seenAt: number;
}

const CONNECT_DEADLINE_MS = 30_000;
const SEND_DEADLINE_MS = 60_000;
const LOOK_MS = 60_000;
const REPARTITIONED = 'the Kafka topic has another number of partitions: from now on, events of a stream may follow earlier ones in another partition';
const BROKER_DEFAULTS = { replication: null, minIsr: null };

/**
 * Publishes to one Kafka topic with idempotent producers, one batch at a time. The producers are discarded after a failed send, because their sequence numbers
 * may be out of step with the broker (kafkajs 2.2.4 reuses the number for the next send, which the broker then drops as a repeat). The topic is created if
 * missing and never altered.
 */
export class KafkaPublisher implements EventStreamPublisher {
  readonly #kafka: Kafka;
  readonly #topic: string;
  readonly #wanted: WantedSafety;
  readonly #lookMs: number;
  readonly #log: PublisherLogger;
  /** Whether the topic's safety was compared with the wanted one. */
  #isChecked = false;
  #connected: Connected | undefined;
  /** The topic's partitions when it was last seen. */
  #lastPartitions: number | undefined;
  #lastCall: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();

  private constructor({ topic, safety = BROKER_DEFAULTS, lookMs = LOOK_MS, log, ...access }: KafkaPublisherOptions) {
    this.#topic = topic;
    this.#wanted = { ...safety, isLoopback: access.brokers.every(isLoopback) };
    this.#lookMs = lookMs;
    this.#log = log;
    this.#kafka = kafkaClient(access, log);
  }

  /** Does not connect yet: brokers may be down when the program starts. */
  static async open(options: KafkaPublisherOptions): Promise<KafkaPublisher> {
    return new KafkaPublisher(options);
  }

  connect(signal: AbortSignal): Promise<void> {
    return this.#inTurn(signal, () => Promise.resolve());
  }

  publish(events: readonly OutgoingEvent[], signal: AbortSignal): Promise<void> {
    return this.#inTurn(signal, ({ producers, partitions }) => this.#within(SEND_DEADLINE_MS, signal, () => producers.send(events, partitions)));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#lastCall;
    await this.#discard();
  }

  /** Gives `work` the connected producers when all earlier calls have ended. */
  #inTurn(signal: AbortSignal, work: (connected: Connected) => Promise<void>): Promise<void> {
    const mine = this.#lastCall.then(() => this.#whenConnected(signal, work));
    this.#lastCall = mine.catch(() => undefined);
    return mine;
  }

  async #whenConnected(signal: AbortSignal, work: (connected: Connected) => Promise<void>): Promise<void> {
    try {
      this.#connected = await this.#within(CONNECT_DEADLINE_MS, signal, (isAbandoned) => this.#upToDate(this.#connected, isAbandoned));
      await work(this.#connected);
    } catch (error) {
      await this.#discard();
      throw toPortError(error);
    }
  }

  /** Runs `work` with a timeout. Abandoned work runs on and can check `isAbandoned`. @throws ServiceUnavailable */
  async #within<Value>(timeoutMs: number, signal: AbortSignal, work: (isAbandoned: () => boolean) => Promise<Value>): Promise<Value> {
    let isAbandoned = false;
    try {
      return await within(
        timeoutMs,
        orAborted([signal, this.#closing.signal], () => work(() => isAbandoned)),
      );
    } finally {
      isAbandoned = true;
    }
  }

  /** Connects if nothing is connected, and looks for added partitions now and then. */
  async #upToDate(connected: Connected | undefined, isAbandoned: () => boolean): Promise<Connected> {
    if (connected === undefined) return this.#connect(isAbandoned);
    if (performance.now() - connected.seenAt < this.#lookMs) return connected;
    const partitions = await this.#withAdmin((admin) => this.#partitions(admin));
    return { ...connected, partitions, seenAt: performance.now() };
  }

  /** Producers for an existing topic. Disconnects them if the caller has timed out meanwhile. */
  async #connect(isAbandoned: () => boolean): Promise<Connected> {
    const partitions = await this.#withAdmin((admin) => this.#prepareTopic(admin));
    const producers = new PartitionProducers(this.#kafka, this.#topic);
    await producers.probe();
    if (isAbandoned()) await producers.discard();
    return { producers, partitions, seenAt: performance.now() };
  }

  /** @returns the topic's number of partitions */
  async #prepareTopic(admin: Admin): Promise<number> {
    await ensureTopic(admin, this.#topic, this.#wanted);
    // Publishing needs no permission to read the topic's settings.
    if (!this.#isChecked) await this.#check(admin).catch((error: unknown) => this.#log.debug({ err: error }, 'the Kafka topic could not be checked'));
    return this.#partitions(admin);
  }

  async #partitions(admin: Admin): Promise<number> {
    const [before, partitions] = [this.#lastPartitions, await partitionsOf(admin, this.#topic)];
    this.#lastPartitions = partitions;
    if (before !== undefined && partitions !== before) this.#log.warn({ topic: this.#topic, before, partitions }, REPARTITIONED);
    return partitions;
  }

  async #withAdmin<Value>(work: (admin: Admin) => Promise<Value>): Promise<Value> {
    const admin = this.#kafka.admin();
    try {
      await admin.connect();
      return await work(admin);
    } finally {
      await disconnect(admin);
    }
  }

  async #check(admin: Admin): Promise<void> {
    const found = await safetyOf(admin, this.#topic);
    this.#isChecked = true;
    const weakness = weaknessOf(found, this.#wanted);
    if (weakness !== null) this.#log.warn({ topic: this.#topic, ...found }, `the Kafka topic may lose events: ${weakness}`);
  }

  async #discard(): Promise<void> {
    const connected = this.#connected;
    this.#connected = undefined;
    await connected?.producers.discard();
  }
}

const isLoopback = (broker: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]):\d+$/.test(broker);

/** Runs `work` until a signal aborts. @throws ServiceUnavailable on abort */
async function orAborted<Value>(signals: readonly AbortSignal[], work: () => Promise<Value>): Promise<Value> {
  if (signals.some(({ aborted }) => aborted)) throw new ServiceUnavailable('the publisher is stopping');
  const cleanup: (() => void)[] = [];
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = (): void => reject(new ServiceUnavailable('the publisher is stopping'));
    for (const signal of signals) {
      signal.addEventListener('abort', abort);
      cleanup.push(() => signal.removeEventListener('abort', abort));
    }
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    for (const forget of cleanup) forget();
  }
}
