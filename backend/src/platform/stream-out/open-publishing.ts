import type { SASLOptions } from 'kafkajs';
import type { Config } from '../config/config.js';
import { PublishToKafka, type PublishingParts } from './publish-to-kafka.js';

/** The loop that publishes, and how its connections are closed after it has stopped. */
export interface Publishing {
  readonly loop: PublishToKafka;
  close(): Promise<void>;
}

/** Makes what publishes every event as the configuration says; null when it names no brokers. Nothing is begun and nobody asked yet. */
export async function openPublishing(config: Config, parts: Omit<PublishingParts, 'publisher'>): Promise<Publishing | null> {
  const { KAFKA_BROKERS: brokers, KAFKA_TOPIC: topic, KAFKA_TLS } = config;
  if (brokers === null) return null;
  // Loaded where it is needed: the embedded default starts without the client.
  const { KafkaPublisher } = await import('./kafka-publisher.js');
  const sasl = saslOf(config);
  const publisher = await KafkaPublisher.open({ brokers, topic, tls: KAFKA_TLS === 'true', ...(sasl === null ? {} : { sasl }), log: parts.log });
  return { loop: new PublishToKafka({ ...parts, publisher }), close: () => publisher.close() };
}

function saslOf({ KAFKA_SASL: mechanism, KAFKA_USERNAME: username, KAFKA_PASSWORD: password }: Config): SASLOptions | null {
  return username === null || password === null ? null : { mechanism, username, password };
}
