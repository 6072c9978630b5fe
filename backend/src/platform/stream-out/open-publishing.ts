import type { SASLOptions } from 'kafkajs';
import type { Config } from '../config/config.js';
import { PublishToKafka, type PublishingDeps } from './publish-to-kafka.js';

/** The publishing loop, and a function to close its connections once it has stopped. */
export interface Publishing {
  readonly loop: PublishToKafka;
  close(): Promise<void>;
}

/** Creates the publisher from the configuration; null if no brokers are configured. Does not connect or start yet. */
export async function openPublishing(config: Config, parts: Omit<PublishingDeps, 'publisher'>): Promise<Publishing | null> {
  const { KAFKA_BROKERS: brokers, KAFKA_TOPIC: topic, KAFKA_REPLICATION: replication, KAFKA_MIN_ISR: minIsr } = config;
  if (brokers === null) return null;
  // Imported lazily, so that the embedded default does not load the Kafka client.
  const { KafkaPublisher } = await import('./kafka-publisher.js');
  const sasl = saslOf(config);
  const tls = config.KAFKA_TLS === 'true';
  const publisher = await KafkaPublisher.open({ brokers, topic, tls, ...(sasl === null ? {} : { sasl }), safety: { replication, minIsr }, log: parts.log });
  return { loop: new PublishToKafka({ ...parts, publisher }), close: () => publisher.close() };
}

function saslOf({ KAFKA_SASL: mechanism, KAFKA_USERNAME: username, KAFKA_PASSWORD: password }: Config): SASLOptions | null {
  return username === null || password === null ? null : { mechanism, username, password };
}
