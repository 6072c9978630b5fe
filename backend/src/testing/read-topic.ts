import { type EachMessagePayload, Kafka, logLevel } from 'kafkajs';
import type { KafkaAccess } from '../platform/stream-out/kafka-access.js';
import { endsOf, readUpTo } from '../platform/stream-out/topic-reader.js';

/** A message of a Kafka topic. */
export interface TopicMessage {
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timestamp: number;
}

/** A silent Kafka client. */
export const kafkaAt = ({ brokers, tls = false, ca, sasl }: KafkaAccess): Kafka =>
  new Kafka({
    clientId: 'roughmix-reader',
    brokers: [...brokers],
    ssl: tls && ca !== undefined ? { ca: [ca] } : tls,
    ...(sasl === undefined ? {} : { sasl: { ...sasl } }),
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1_000,
    requestTimeout: 5_000,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 20 },
  });

/** Every message now in a topic, by partition and offset. @throws ServiceUnavailable */
export async function readTopic(kafka: Kafka, topic: string): Promise<readonly TopicMessage[]> {
  const messages: TopicMessage[] = [];
  await readUpTo(kafka, topic, {
    ends: await endsOf(kafka, topic),
    signal: new AbortController().signal,
    take: ({ partition, message }) => void messages.push(readable(partition, message)),
  });
  return messages.toSorted((one, other) => one.partition - other.partition || one.offset - other.offset);
}

const readable = (partition: number, { offset, key, value, headers = {}, timestamp }: EachMessagePayload['message']): TopicMessage => ({
  partition,
  offset: Number(offset),
  key: key?.toString() ?? '',
  value: value?.toString() ?? '',
  headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)])),
  timestamp: Number(timestamp),
});
