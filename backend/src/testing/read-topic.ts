import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import type { KafkaAccess } from '../platform/stream-out/kafka-access.js';

/** A message of a Kafka topic. */
export interface TopicMessage {
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timestamp: number;
}

const READ_MS = 60_000;

/** A silent Kafka client. */
export const kafkaAt = ({ brokers, tls = false, ca, sasl }: KafkaAccess): Kafka =>
  new Kafka({
    clientId: 'roughmix-reader',
    brokers: [...brokers],
    ssl: tls && ca !== undefined ? { ca: [ca] } : tls,
    ...(sasl === undefined ? {} : { sasl }),
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1_000,
    requestTimeout: 5_000,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 20 },
  });

/** Every message now in a topic, by partition and offset. @throws Error after a minute */
export async function readTopic(kafka: Kafka, topic: string): Promise<readonly TopicMessage[]> {
  const admin = kafka.admin();
  await admin.connect();
  const ends = new Map((await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => [partition, Number(high)]));
  await admin.disconnect();
  let left = [...ends.values()].reduce((sum, end) => sum + end, 0);
  if (left === 0) return [];
  const messages: TopicMessage[] = [];
  const consumer = kafka.consumer({ groupId: randomUUID(), sessionTimeout: 10_000, heartbeatInterval: 1_000, maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  try {
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${left} messages of ${topic} were not read within ${READ_MS} ms`)), READ_MS).unref();
      const eachMessage: NonNullable<Parameters<typeof consumer.run>[0]>['eachMessage'] = ({ partition, message }) => {
        if (Number(message.offset) >= (ends.get(partition) ?? 0)) return Promise.resolve();
        messages.push(readable(partition, message));
        left -= 1;
        if (left === 0) {
          clearTimeout(late);
          resolve();
        }
        return Promise.resolve();
      };
      consumer.run({ autoCommit: false, eachMessage }).catch(reject);
    });
  } finally {
    await consumer.disconnect();
  }
  return messages.toSorted((one, other) => one.partition - other.partition || one.offset - other.offset);
}

type Received = Parameters<NonNullable<NonNullable<Parameters<ReturnType<Kafka['consumer']>['run']>[0]>['eachMessage']>>[0]['message'];

const readable = (partition: number, { offset, key, value, headers = {}, timestamp }: Received): TopicMessage => ({
  partition,
  offset: Number(offset),
  key: key?.toString() ?? '',
  value: value?.toString() ?? '',
  headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)])),
  timestamp: Number(timestamp),
});
