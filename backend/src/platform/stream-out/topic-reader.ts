import { randomUUID } from 'node:crypto';
import type { Consumer, EachMessagePayload, Kafka } from 'kafkajs';
import { ServiceUnavailable } from '../store-errors.js';
import { disconnect } from './kafka-client.js';

/** How long a topic may send nothing before reading it fails. */
const SILENT_MS = 60_000;
const GROUP = 'roughmix-reader-';

/** The messages that a partition has now: `low` is the first offset, `high` is behind the last. */
export interface PartitionEnds {
  readonly partition: number;
  readonly low: number;
  readonly high: number;
}

type Received = Pick<EachMessagePayload, 'partition' | 'message'>;

/** Where the partitions of a topic begin and end now. */
export async function endsOf(kafka: Kafka, topic: string): Promise<readonly PartitionEnds[]> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    const offsets = await admin.fetchTopicOffsets(topic);
    return offsets.map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }));
  } finally {
    await disconnect(admin);
  }
}

export interface ReadOptions {
  readonly ends: readonly PartitionEnds[];
  readonly signal: AbortSignal;
  readonly take: (received: Received) => void;
}

/**
 * Reads a topic from its beginning to these ends; each partition in order. Joins a consumer group of its own, named `roughmix-reader-…`, and commits nothing.
 * @throws ServiceUnavailable when interrupted, or when nothing was received for a minute
 */
export async function readUpTo(kafka: Kafka, topic: string, options: ReadOptions): Promise<void> {
  if (options.ends.every(({ low, high }) => high === low)) return;
  const consumer = kafka.consumer({ groupId: `${GROUP}${randomUUID()}`, sessionTimeout: 10_000, heartbeatInterval: 1_000, maxWaitTimeInMs: 100 });
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await untilRead(consumer, topic, options);
  } finally {
    await disconnect(consumer);
  }
}

const unread = (topic: string, reason: string): ServiceUnavailable => new ServiceUnavailable(`Kafka: the topic ${topic} could not be read: ${reason}`);

async function untilRead(consumer: Consumer, topic: string, { ends, signal, take }: ReadOptions): Promise<void> {
  // It may have been aborted while the client connected, before the listener below is added.
  if (signal.aborted) throw unread(topic, 'interrupted');
  const left = new Map(ends.filter(({ low, high }) => high > low).map(({ partition, high }) => [partition, high]));
  const ended = new AbortController();
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => (): void => reject(unread(topic, reason));
    const silent = setTimeout(fail('nothing was received for a minute'), SILENT_MS);
    ended.signal.addEventListener('abort', () => clearTimeout(silent));
    signal.addEventListener('abort', fail('interrupted'), { signal: ended.signal });
    const eachMessage = ({ partition, message }: Received): Promise<void> => {
      silent.refresh();
      const end = left.get(partition) ?? 0;
      if (Number(message.offset) < end) take({ partition, message });
      if (Number(message.offset) >= end - 1) left.delete(partition);
      if (left.size === 0) resolve();
      return Promise.resolve();
    };
    consumer.run({ autoCommit: false, eachMessage }).catch(reject);
  }).finally(() => ended.abort());
}
