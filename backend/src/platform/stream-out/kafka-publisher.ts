import { Kafka, logLevel, Partitioners, type Producer, type SASLOptions } from 'kafkajs';
import { within } from '../health/deadline.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { EventStreamPublisher, OutgoingEvent } from './event-stream-publisher.js';
import { toPortError } from './kafka-errors.js';
import { kafkaLogTo, type PublisherLogger } from './kafka-log.js';
import { CONTENT_TYPE, PARTITIONS } from './topic-facts.js';

/** The brokers (`host:port`), the topic and the credentials. No authentication without `sasl`, no encryption without `tls`. */
export interface KafkaPublisherOptions {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly tls?: boolean;
  readonly sasl?: SASLOptions;
  readonly log: PublisherLogger;
}

const CONNECT_MS = 3_000;
const REQUEST_MS = 5_000;
/** The client's own retries survive short outages without duplicates, by sequence numbers. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 8 };
const CONNECT_DEADLINE_MS = 30_000;
const SEND_DEADLINE_MS = 60_000;
const END_MS = 3_000;

/**
 * Publishes to one Kafka topic with an idempotent producer, one send at a time. A producer is discarded after a failed send, because its sequence numbers
 * may be out of step with the broker (kafkajs 2.2.4 reuses the number for the next send, which the broker then drops as a repeat). The topic is created if
 * missing and never altered.
 */
export class KafkaPublisher implements EventStreamPublisher {
  readonly #kafka: Kafka;
  readonly #topic: string;
  #producer: Producer | undefined;
  #lastCall: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();

  private constructor({ brokers, topic, tls = false, sasl, log }: KafkaPublisherOptions) {
    this.#topic = topic;
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

  publish(events: readonly OutgoingEvent[], signal: AbortSignal): Promise<void> {
    const mine = this.#lastCall.then(() => this.#publishNow(events, signal));
    this.#lastCall = mine.catch(() => undefined);
    return mine;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#lastCall;
    await this.#discard();
  }

  async #publishNow(events: readonly OutgoingEvent[], signal: AbortSignal): Promise<void> {
    try {
      const producer = (this.#producer ??= await this.#within(CONNECT_DEADLINE_MS, signal, (isAbandoned) => this.#connect(isAbandoned)));
      await this.#within(SEND_DEADLINE_MS, signal, () => producer.send({ topic: this.#topic, acks: -1, messages: events.map(messageOf) }));
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
    await this.#createTopic();
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

  /** Uses log append time, because retention is based on timestamps and events from months ago must be kept as long as new ones. */
  async #createTopic(): Promise<void> {
    const admin = this.#kafka.admin();
    try {
      await admin.connect();
      if ((await admin.listTopics()).includes(this.#topic)) return;
      const configEntries = [{ name: 'message.timestamp.type', value: 'LogAppendTime' }];
      await admin.createTopics({ topics: [{ topic: this.#topic, numPartitions: PARTITIONS, configEntries }], waitForLeaders: true, timeout: REQUEST_MS });
    } finally {
      await disconnect(admin);
    }
  }

  async #discard(): Promise<void> {
    const producer = this.#producer;
    this.#producer = undefined;
    if (producer !== undefined) await disconnect(producer);
  }
}

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
