import { type Admin, Kafka, logLevel, Partitioners, type Producer, type SASLOptions } from 'kafkajs';
import { within } from '../health/deadline.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { EventStreamPublisher, OutgoingEvent } from './event-stream-publisher.js';
import { toPortError } from './kafka-errors.js';
import { kafkaLogTo, type PublisherLogger } from './kafka-log.js';
import { ensureTopic, safetyOf, type TopicSafety, type WantedSafety, weaknessOf } from './kafka-topic.js';
import { CONTENT_TYPE } from './topic-facts.js';

/** The brokers (`host:port`), the topic and the credentials. No authentication without `sasl`, no encryption without `tls`. */
export interface KafkaPublisherOptions {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly tls?: boolean;
  readonly sasl?: SASLOptions;
  /** The safety of a topic that is created, and the least that an existing one should have; the broker's defaults when missing. */
  readonly safety?: TopicSafety<number | null>;
  readonly log: PublisherLogger;
}

const CONNECT_MS = 3_000;
const REQUEST_MS = 5_000;
/** The client's own retries survive short outages without duplicates, by sequence numbers. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 8 };
const CONNECT_DEADLINE_MS = 30_000;
const SEND_DEADLINE_MS = 60_000;
const END_MS = 3_000;
const BROKER_DEFAULTS = { replication: null, minIsr: null };

/**
 * Publishes to one Kafka topic with an idempotent producer, one send at a time. A producer is discarded after a failed send, because its sequence numbers
 * may be out of step with the broker (kafkajs 2.2.4 reuses the number for the next send, which the broker then drops as a repeat). The topic is created if
 * missing and never altered.
 */
export class KafkaPublisher implements EventStreamPublisher {
  readonly #kafka: Kafka;
  readonly #topic: string;
  readonly #wanted: WantedSafety;
  readonly #log: PublisherLogger;
  /** Whether the topic's safety was compared with the wanted one. */
  #isChecked = false;
  #producer: Producer | undefined;
  #lastCall: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();

  private constructor({ brokers, topic, tls = false, sasl, safety = BROKER_DEFAULTS, log }: KafkaPublisherOptions) {
    this.#topic = topic;
    this.#wanted = { ...safety, isLoopback: brokers.every(isLoopback) };
    this.#log = log;
    this.#kafka = new Kafka({
      clientId: 'roughmix',
      brokers: [...brokers],
      ssl: tls,
      ...(sasl === undefined ? {} : { sasl }),
      connectionTimeout: CONNECT_MS,
      authenticationTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      retry: RETRY,
      logLevel: logLevel.WARN,
      logCreator: kafkaLogTo(log),
    });
  }

  /** Does not connect yet: brokers may be down when the program starts. */
  static async open(options: KafkaPublisherOptions): Promise<KafkaPublisher> {
    return new KafkaPublisher(options);
  }

  connect(signal: AbortSignal): Promise<void> {
    return this.#inTurn(signal, () => Promise.resolve());
  }

  publish(events: readonly OutgoingEvent[], signal: AbortSignal): Promise<void> {
    return this.#inTurn(signal, (producer) =>
      this.#within(SEND_DEADLINE_MS, signal, async () => void (await producer.send({ topic: this.#topic, acks: -1, messages: events.map(messageOf) }))),
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#lastCall;
    await this.#discard();
  }

  /** Gives `work` the connected producer when all earlier calls have ended. */
  #inTurn(signal: AbortSignal, work: (producer: Producer) => Promise<void>): Promise<void> {
    const mine = this.#lastCall.then(() => this.#connected(signal, work));
    this.#lastCall = mine.catch(() => undefined);
    return mine;
  }

  async #connected(signal: AbortSignal, work: (producer: Producer) => Promise<void>): Promise<void> {
    try {
      await work((this.#producer ??= await this.#within(CONNECT_DEADLINE_MS, signal, (isAbandoned) => this.#connect(isAbandoned))));
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

  /** A connected producer for an existing topic. Disconnects it if the caller has timed out meanwhile. */
  async #connect(isAbandoned: () => boolean): Promise<Producer> {
    await this.#prepareTopic();
    const producer = this.#kafka.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
    });
    try {
      await producer.connect();
    } catch (error) {
      await disconnect(producer);
      throw error;
    }
    if (isAbandoned()) await disconnect(producer);
    return producer;
  }

  async #prepareTopic(): Promise<void> {
    const admin = this.#kafka.admin();
    try {
      await admin.connect();
      await ensureTopic(admin, this.#topic, this.#wanted);
      // Publishing needs no permission to read the topic's settings.
      if (!this.#isChecked) await this.#check(admin).catch((error: unknown) => this.#log.debug({ err: error }, 'the Kafka topic could not be checked'));
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
    const producer = this.#producer;
    this.#producer = undefined;
    if (producer !== undefined) await disconnect(producer);
  }
}

const isLoopback = (broker: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]):\d+$/.test(broker);

const messageOf = ({ key, id, type, body }: OutgoingEvent) => ({ key, value: body, headers: { 'content-type': CONTENT_TYPE, ce_id: id, ce_type: type } });

/** Disconnects a client, or leaves it to its own timeouts if it does not answer. */
async function disconnect(client: { disconnect(): Promise<void> }): Promise<void> {
  await within(END_MS, client.disconnect()).catch(() => undefined);
}

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
