import { readConfig } from '../platform/config/config.js';
import { type KafkaAccess, kafkaAccessOf } from '../platform/stream-out/kafka-access.js';

/** The Kafka of an environment, which may need TLS and a user. */
export function kafkaOf(environment: NodeJS.ProcessEnv): KafkaAccess {
  const access = kafkaAccessOf(readConfig(Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('KAFKA_')))));
  if (access === null) throw new Error('KAFKA_BROKERS is not set');
  return access;
}
