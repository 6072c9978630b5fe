import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { ServiceUnavailable } from '../store-errors.js';
import { eventStreamPublisherContract, someEvents } from './event-stream-publisher.contract.js';
import type { OutgoingEvent } from './event-stream-publisher.js';
import { KafkaPublisher } from './kafka-publisher.js';
import { PartitionProducers, partitionOf } from './partition-producers.js';
import { endsOf, readUpTo } from './topic-reader.js';
import { kafkaOf } from '../../testing/kafka-access.js';
import { kafkaAt, readTopic } from '../../testing/read-topic.js';

const access = kafkaOf(process.env);
const kafka = kafkaAt(access);
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const patient = new AbortController().signal;
const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};
const freshTopic = (): string => `roughmix-spec-${randomUUID()}`;
const publisherOf = (topic: string) => KafkaPublisher.open({ ...access, topic, log: quiet });

let admin: Admin;
const made: string[] = [];
beforeAll(async () => {
  admin = kafka.admin();
  await admin.connect();
});
afterAll(async () => {
  const there = await admin.listTopics();
  const topics = made.filter((topic) => there.includes(topic));
  if (topics.length > 0) await admin.deleteTopics({ topics });
  await admin.disconnect();
});

eventStreamPublisherContract('Kafka', async () => {
  const topic = freshTopic();
  made.push(topic);
  return {
    open: () => publisherOf(topic),
    received: async () =>
      (await readTopic(kafka, topic)).map(({ key, value, headers }) => ({ key, id: headers['ce_id'] ?? '', type: headers['ce_type'] ?? '', body: value })),
    tooLarge: { key: 'project-1', id: 'large', type: 'roughmix.Tried', body: JSON.stringify('x'.repeat(1_100_000)) },
    remove: () => Promise.resolve(),
  };
});

const settingsOf = async (topic: string): Promise<Readonly<Record<string, string>>> => {
  const configNames = ['message.timestamp.type', 'min.insync.replicas'];
  const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [{ type: 2, name: topic, configNames }] });
  return Object.fromEntries(resources.flatMap(({ configEntries }) => configEntries.map(({ configName, configValue }) => [configName, configValue])));
};
const partitionsOf = async (topic: string): Promise<number | undefined> => (await admin.fetchTopicMetadata({ topics: [topic] })).topics[0]?.partitions.length;

test('a missing topic is created with six partitions and log append time', async () => {
  const topic = freshTopic();
  made.push(topic);
  const publisher = await publisherOf(topic);
  const before = Date.now();
  await publisher.publish(someEvents(0, 3), patient);
  await publisher.close();
  expect(await settingsOf(topic)).toMatchObject({ 'message.timestamp.type': 'LogAppendTime' });
  expect(await partitionsOf(topic)).toBe(6);
  const [first] = await readTopic(kafka, topic);
  expect(first?.headers['content-type']).toBe('application/cloudevents+json; charset=UTF-8');
  expect(first?.timestamp).toBeGreaterThanOrEqual(before);
});

test('a missing topic is created with the replication factor and min.insync.replicas asked for', async () => {
  const topic = freshTopic();
  made.push(topic);
  const open = (replication: number) => KafkaPublisher.open({ ...access, topic, safety: { replication, minIsr: 2 }, log: quiet });
  const tooMany = await open(50);
  await expect(tooMany.connect(patient)).rejects.toThrow(ServiceUnavailable);
  await tooMany.close();
  const publisher = await open(1);
  await publisher.connect(patient);
  await publisher.close();
  expect(await settingsOf(topic)).toEqual({ 'message.timestamp.type': 'LogAppendTime', 'min.insync.replicas': '2' });
});

test('connecting warns once about an existing topic that is less safe than asked for', async () => {
  const topic = freshTopic();
  made.push(topic);
  await admin.createTopics({ topics: [{ topic, numPartitions: 2, replicationFactor: 1, configEntries: [{ name: 'min.insync.replicas', value: '1' }] }] });
  const warnings: unknown[] = [];
  const log = { ...quiet, warn: (...line: readonly unknown[]) => void warnings.push(line) };
  const publisher = await KafkaPublisher.open({ ...access, topic, safety: { replication: 3, minIsr: 2 }, log });
  for (const _each of [1, 2]) await publisher.connect(patient);
  await publisher.close();
  const sentence = 'the Kafka topic may lose events: its replication factor is 1, but KAFKA_REPLICATION is 3';
  expect(warnings).toEqual([[{ topic, replication: 1, minIsr: 1 }, sentence]]);
});

test('an existing topic is not altered', async () => {
  const topic = freshTopic();
  made.push(topic);
  await admin.createTopics({ topics: [{ topic, numPartitions: 2, configEntries: [{ name: 'message.timestamp.type', value: 'CreateTime' }] }] });
  const publisher = await publisherOf(topic);
  await publisher.publish(someEvents(0, 3), patient);
  await publisher.close();
  expect(await settingsOf(topic)).toMatchObject({ 'message.timestamp.type': 'CreateTime' });
  expect(await partitionsOf(topic)).toBe(2);
});

describe('partitions that are added while publishing runs', () => {
  const keysIn = async (topic: string) => (await readTopic(kafka, topic)).map(({ partition, key, headers }) => ({ partition, key, id: headers['ce_id'] }));
  const inPartitions = (events: readonly OutgoingEvent[], topic: string, partitions: number) =>
    events.map(({ key, id }) => ({ partition: partitionOf(key, { topic, partitions }), key, id }));
  const sorted = <Message extends { readonly id: string | undefined }>(messages: readonly Message[]) =>
    messages.toSorted((one, other) => String(one.id).localeCompare(String(other.id)));

  test('are used for later events, so that a stream continues in another partition, with a warning', async () => {
    const topic = freshTopic();
    made.push(topic);
    await admin.createTopics({ topics: [{ topic, numPartitions: 2 }] });
    const warnings: unknown[] = [];
    const log = { ...quiet, warn: (...line: readonly unknown[]) => void warnings.push(line) };
    const publisher = await KafkaPublisher.open({ ...access, topic, lookMs: 0, log });
    const [before, after] = [someEvents(0, 30), someEvents(30, 30)];
    await publisher.publish(before, patient);
    await admin.createPartitions({ topicPartitions: [{ topic, count: 5 }] });
    await until(async () => {
      await publisher.publish([], patient);
      return warnings.length === 1;
    });
    await publisher.publish(after, patient);
    await publisher.close();
    expect(sorted(await keysIn(topic))).toEqual(sorted([...inPartitions(before, topic, 2), ...inPartitions(after, topic, 5)]));
    const sentence = 'the Kafka topic has another number of partitions: from now on, events of a stream may follow earlier ones in another partition';
    expect(warnings).toEqual([[{ topic, before: 2, partitions: 5 }, sentence]]);
  });

  test('do not count as having acknowledged events as long as the client does not know them', async () => {
    const topic = freshTopic();
    made.push(topic);
    await admin.createTopics({ topics: [{ topic, numPartitions: 2 }] });
    const producers = new PartitionProducers(kafka, topic);
    await expect(producers.send(someEvents(0, 30), 5)).rejects.toThrow(/^partition [234] was not acknowledged$/);
    await producers.discard();
  });
});

test('reading a topic ends at once if it was interrupted while the client connected', async () => {
  const topic = freshTopic();
  made.push(topic);
  const publisher = await publisherOf(topic);
  await publisher.publish(someEvents(0, 3), patient);
  await publisher.close();
  const taken: unknown[] = [];
  const reading = readUpTo(kafka, topic, { ends: await endsOf(kafka, topic), signal: AbortSignal.abort(), take: (each) => taken.push(each) });
  await expect(reading).rejects.toThrow(`Kafka: the topic ${topic} could not be read: interrupted`);
  expect(taken).toEqual([]);
});

test('unreachable brokers throw ServiceUnavailable within seconds, and closing does not wait for them', async () => {
  const publisher = await KafkaPublisher.open({ brokers: ['127.0.0.1:1'], topic: freshTopic(), log: quiet });
  const started = performance.now();
  await expect(publisher.publish(someEvents(0, 1), patient)).rejects.toThrow(ServiceUnavailable);
  const again = publisher.publish(someEvents(0, 1), patient).catch((error: unknown) => error);
  await publisher.close();
  expect(await again).toBeInstanceOf(ServiceUnavailable);
  expect(performance.now() - started).toBeLessThan(20_000);
});
