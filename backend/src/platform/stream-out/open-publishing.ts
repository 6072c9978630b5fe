import type { Config } from '../config/config.js';
import { kafkaAccessOf } from './kafka-access.js';
import { PublishToKafka, type PublishingDeps } from './publish-to-kafka.js';

/** The publishing loop, and a function to close its connections once it has stopped. */
export interface Publishing {
  readonly loop: PublishToKafka;
  close(): Promise<void>;
}

/** Creates the publisher from the configuration; null if no brokers are configured. Does not connect or start yet. */
export async function openPublishing(config: Config, parts: Omit<PublishingDeps, 'publisher'>): Promise<Publishing | null> {
  const { KAFKA_TOPIC: topic, KAFKA_REPLICATION: replication, KAFKA_MIN_ISR: minIsr } = config;
  const access = kafkaAccessOf(config);
  if (access === null) return null;
  // Imported lazily, so that the embedded default does not load the Kafka client.
  const { KafkaPublisher } = await import('./kafka-publisher.js');
  const publisher = await KafkaPublisher.open({ ...access, topic, safety: { replication, minIsr }, log: parts.log });
  return { loop: new PublishToKafka({ ...parts, publisher }), close: () => publisher.close() };
}
