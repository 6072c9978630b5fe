import kafkajs, { type Admin } from 'kafkajs';
import { PublishingRefused } from './event-stream-publisher.js';
import { typesOf } from './kafka-errors.js';
import { PARTITIONS } from './topic-facts.js';

// Node does not find this name among the exports of the CommonJS module.
const { ConfigResourceTypes } = kafkajs;

/** How many brokers keep an event, and how many of them must have it before it counts as published. */
export interface TopicSafety<Value> {
  readonly replication: Value;
  readonly minIsr: Value;
}

/** The safety asked for; null means the broker's default. `isLoopback`: all brokers are on this machine. */
export interface WantedSafety extends TopicSafety<number | null> {
  readonly isLoopback: boolean;
}

const MIN_ISR = 'min.insync.replicas';
const NO_RIGHT: readonly string[] = ['TOPIC_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED'];
const CREATE_MS = 5_000;

/**
 * Creates a topic if it is missing, and never alters it. Log append time, because retention is based on timestamps and events from months ago must be kept as long
 * as new ones.
 */
export async function ensureTopic(admin: Admin, topic: string, { replication, minIsr }: TopicSafety<number | null>): Promise<void> {
  if ((await admin.listTopics()).includes(topic)) return;
  const configEntries = [{ name: 'message.timestamp.type', value: 'LogAppendTime' }, ...(minIsr === null ? [] : [{ name: MIN_ISR, value: String(minIsr) }])];
  const created = { topic, numPartitions: PARTITIONS, configEntries, ...(replication === null ? {} : { replicationFactor: replication }) };
  try {
    await admin.createTopics({ topics: [created], waitForLeaders: true, timeout: CREATE_MS });
  } catch (error) {
    if (!typesOf(error).some((type) => NO_RIGHT.includes(type))) throw error;
    throw new PublishingRefused(`Kafka: the topic ${topic} does not exist or is hidden from the user (Describe), who has no right to create it (Create)`, {
      cause: error,
    });
  }
}

/** The number of partitions of an existing topic. */
export async function partitionsOf(admin: Admin, topic: string): Promise<number> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  return topics.flatMap(({ partitions }) => partitions).length;
}

/** The safety of an existing topic; its replication is the smallest of its partitions. */
export async function safetyOf(admin: Admin, topic: string): Promise<TopicSafety<number>> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const asked = { type: ConfigResourceTypes.TOPIC, name: topic, configNames: [MIN_ISR] };
  const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [asked] });
  const replicas = topics.flatMap(({ partitions }) => partitions.map((partition) => partition.replicas.length));
  const [minIsr = 1] = resources.flatMap(({ configEntries }) => configEntries.map(({ configValue }) => Number(configValue)));
  return { replication: Math.min(...replicas), minIsr };
}

/** Why a topic is less safe than asked for, or its events are acknowledged by a single broker on another machine; null if neither. */
export function weaknessOf(found: TopicSafety<number>, { replication, minIsr, isLoopback }: WantedSafety): string | null {
  if (replication !== null && found.replication < replication) return `its replication factor is ${found.replication}, but KAFKA_REPLICATION is ${replication}`;
  if (minIsr !== null && found.minIsr < minIsr) return `its min.insync.replicas is ${found.minIsr}, but KAFKA_MIN_ISR is ${minIsr}`;
  if (isLoopback) return null;
  if (found.replication < 2) return 'its replication factor is 1: events are lost with their broker';
  return found.minIsr < 2 ? 'its min.insync.replicas is 1: events acknowledged by one broker may be lost with it' : null;
}
