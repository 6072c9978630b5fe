import type { KafkaConfig } from 'kafkajs';

/** Where a publisher tells what happens; as pino has it. */
export interface PublisherLog {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** The client tells each try of a broker that is away as an error: what comes of it is told by whoever publishes, the tries are details. */
export const kafkaLogTo =
  (log: PublisherLog): NonNullable<KafkaConfig['logCreator']> =>
  () =>
  ({ namespace, label, log: { message, timestamp: _timestamp, logger: _logger, ...facts } }) =>
    log.debug({ kafka: { namespace, level: label, ...facts } }, message);
