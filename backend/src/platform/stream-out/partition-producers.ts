import { type Kafka, Partitioners, type Producer } from 'kafkajs';
import { disconnect } from './kafka-client.js';
import type { OutgoingEvent } from './event-stream-publisher.js';
import { CONTENT_TYPE } from './topic-facts.js';

/** The topic, and its number of partitions. */
export interface Partitioned {
  readonly topic: string;
  readonly partitions: number;
}

const messageOf = ({ key, id, type, body }: OutgoingEvent) => ({ key, value: body, headers: { 'content-type': CONTENT_TYPE, ce_id: id, ce_type: type } });

const partitioner = Partitioners.DefaultPartitioner();

/** The partition of a key, as Kafka's own clients choose it. */
export function partitionOf(key: string, { topic, partitions }: Partitioned): number {
  // It decides by the number of partitions alone.
  const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({ partitionId, partitionErrorCode: 0, leader: 0, replicas: [], isr: [] }));
  return partitioner({ topic, partitionMetadata, message: { key, value: null } });
}

/** Events by partition; within one they keep their order. */
function byPartition(events: readonly OutgoingEvent[], partitioned: Partitioned): ReadonlyMap<number, readonly OutgoingEvent[]> {
  const groups = new Map<number, OutgoingEvent[]>();
  const chosen = new Map<string, number>();
  for (const event of events) {
    const partition = chosen.get(event.key) ?? partitionOf(event.key, partitioned);
    chosen.set(event.key, partition);
    const group = groups.get(partition);
    if (group === undefined) groups.set(partition, [event]);
    else group.push(event);
  }
  return groups;
}

/**
 * Idempotent producers of one topic, one for each partition. kafkajs 2.2.4 loses messages of a send to several brokers: when one fails and another, which has
 * already answered, takes its partitions over, the retry skips that broker and the send succeeds. So each send is for one partition. It also loses messages of
 * simultaneous sends to one partition, so there is one at a time.
 */
export class PartitionProducers {
  readonly #producers = new Map<number, Promise<Producer>>();
  readonly #connected = new Set<Producer>();
  #isDiscarded = false;

  constructor(
    private readonly kafka: Kafka,
    private readonly topic: string,
  ) {}

  /** Connects the first producer, to see whether publishing is possible. */
  async probe(): Promise<void> {
    await this.#producerOf(0);
  }

  /** Resolves when all events are acknowledged. When it rejects, no send is in progress any more. Call it one at a time. */
  async send(events: readonly OutgoingEvent[], partitions: number): Promise<void> {
    const groups = byPartition(events, { topic: this.topic, partitions });
    const sent = await Promise.allSettled([...groups].map(([partition, group]) => this.#sendTo(partition, group)));
    const failed = sent.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** Disconnects all producers. Abandoned sends may still be in progress. */
  async discard(): Promise<void> {
    this.#isDiscarded = true;
    await Promise.all([...this.#connected].map(disconnect));
  }

  async #sendTo(partition: number, events: readonly OutgoingEvent[]): Promise<void> {
    const producer = await this.#producerOf(partition);
    try {
      const messages = events.map((event) => ({ ...messageOf(event), partition }));
      const acknowledged = await producer.send({ topic: this.topic, acks: -1, messages });
      // The client skips a partition that it has no metadata of, and reports success.
      if (!acknowledged.some((each) => each.partition === partition)) throw new Error(`partition ${partition} was not acknowledged`);
    } finally {
      // Retries of an abandoned send connect the producer again.
      if (this.#isDiscarded) await disconnect(producer);
    }
  }

  #producerOf(partition: number): Promise<Producer> {
    const producer = this.#producers.get(partition) ?? this.#connect();
    this.#producers.set(partition, producer);
    return producer;
  }

  async #connect(): Promise<Producer> {
    const options = { createPartitioner: Partitioners.DefaultPartitioner, idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false };
    const producer = this.kafka.producer(options);
    try {
      await producer.connect();
    } catch (error) {
      await disconnect(producer);
      throw error;
    }
    this.#connected.add(producer);
    if (this.#isDiscarded) await disconnect(producer);
    return producer;
  }
}
