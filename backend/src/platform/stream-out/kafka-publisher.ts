import { Kafka, logLevel, Partitioners, type Producer, type SASLOptions } from 'kafkajs';
import { within } from '../health/deadline.js';
import { StoreAway } from '../store-errors.js';
import type { EventStreamPublisher, OutgoingEvent } from './event-stream-publisher.js';
import { toPortError } from './kafka-errors.js';
import { kafkaLogTo, type PublisherLog } from './kafka-log.js';
import { CONTENT_TYPE, PARTITIONS } from './topic-facts.js';

/** The brokers (`host:port`), the topic, and how to be let in; without `sasl` nobody is asked who it is, without `tls` nothing is encrypted. */
export interface KafkaPublisherOptions {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly tls?: boolean;
  readonly sasl?: SASLOptions;
  readonly log: PublisherLog;
}

const CONNECT_MS = 3_000;
const REQUEST_MS = 5_000;
/** Tries after the first: what is over within some seconds is repaired by the client itself, by sequence numbers and without a repeat. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 8 };
const CONNECT_DEADLINE_MS = 30_000;
const SEND_DEADLINE_MS = 60_000;
const END_MS = 3_000;

/**
 * Publishes to one topic of Kafka by an idempotent producer with one send under way. A producer whose send failed has lost count of what the broker
 * stored (kafkajs 2.2.4 gives the next send the same sequence number, and the broker drops it as a repeat): it is never used again, the next call makes
 * a new one. The topic is made when it is missing and never altered.
 */
export class KafkaPublisher implements EventStreamPublisher {
  readonly #kafka: Kafka;
  readonly #topic: string;
  #producer: Producer | undefined;
  #turn: Promise<unknown> = Promise.resolve();
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

  /** Asks nobody yet: brokers may be away when the program starts. */
  static async open(options: KafkaPublisherOptions): Promise<KafkaPublisher> {
    return new KafkaPublisher(options);
  }

  publish(events: readonly OutgoingEvent[], signal: AbortSignal): Promise<void> {
    const mine = this.#turn.then(() => this.#publishNow(events, signal));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turn;
    await this.#discard();
  }

  async #publishNow(events: readonly OutgoingEvent[], signal: AbortSignal): Promise<void> {
    try {
      const producer = (this.#producer ??= await this.#within(CONNECT_DEADLINE_MS, signal, (isLeft) => this.#connect(isLeft)));
      await this.#within(SEND_DEADLINE_MS, signal, () => producer.send({ topic: this.#topic, acks: -1, messages: events.map(messageOf) }));
    } catch (error) {
      await this.#discard();
      throw toPortError(error);
    }
  }

  /** What the work gives in time. Else it is left to end by itself, and can ask whether it was. @throws StoreAway */
  async #within<Value>(milliseconds: number, signal: AbortSignal, work: (isLeft: () => boolean) => Promise<Value>): Promise<Value> {
    let isLeft = false;
    try {
      return await within(
        milliseconds,
        unless([signal, this.#closing.signal], () => work(() => isLeft)),
      );
    } finally {
      isLeft = true;
    }
  }

  /** A producer that is connected to a topic that is there; one that nobody waits for any more is ended. */
  async #connect(isLeft: () => boolean): Promise<Producer> {
    await this.#makeTopic();
    const producer = this.#kafka.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
    });
    try {
      await producer.connect();
    } catch (error) {
      await ended(producer);
      throw error;
    }
    if (isLeft()) await ended(producer);
    return producer;
  }

  /** By the time of arrival, because retention goes by it: what is months old in the log has to stay as long as what is new. */
  async #makeTopic(): Promise<void> {
    const admin = this.#kafka.admin();
    try {
      await admin.connect();
      if ((await admin.listTopics()).includes(this.#topic)) return;
      const configEntries = [{ name: 'message.timestamp.type', value: 'LogAppendTime' }];
      await admin.createTopics({ topics: [{ topic: this.#topic, numPartitions: PARTITIONS, configEntries }], waitForLeaders: true, timeout: REQUEST_MS });
    } finally {
      await ended(admin);
    }
  }

  async #discard(): Promise<void> {
    const producer = this.#producer;
    this.#producer = undefined;
    if (producer !== undefined) await ended(producer);
  }
}

const messageOf = ({ key, id, type, body }: OutgoingEvent) => ({ key, value: body, headers: { 'content-type': CONTENT_TYPE, ce_id: id, ce_type: type } });

/** Ends a client's connections. One that does not answer is left to its own deadlines: nothing more is asked of it. */
async function ended(client: { disconnect(): Promise<void> }): Promise<void> {
  await within(END_MS, client.disconnect()).catch(() => undefined);
}

/** What the work gives, unless a signal aborts before. @throws StoreAway */
async function unless<Value>(signals: readonly AbortSignal[], work: () => Promise<Value>): Promise<Value> {
  if (signals.some(({ aborted }) => aborted)) throw new StoreAway('the publisher is stopping');
  const forgetting: (() => void)[] = [];
  const left = new Promise<never>((_resolve, reject) => {
    const leave = (): void => reject(new StoreAway('the publisher is stopping'));
    for (const signal of signals) {
      signal.addEventListener('abort', leave);
      forgetting.push(() => signal.removeEventListener('abort', leave));
    }
  });
  try {
    return await Promise.race([work(), left]);
  } finally {
    for (const forget of forgetting) forget();
  }
}
