import type { KafkaConfig } from 'kafkajs';

/** The logger of a publisher; pino's signatures. */
export interface PublisherLogger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Logs the client's messages at debug level, because it reports every retry as an error. The publisher logs the outcome. */
export const kafkaLogTo =
  (log: PublisherLogger): NonNullable<KafkaConfig['logCreator']> =>
  () =>
  ({ namespace, label, log: { message, timestamp: _timestamp, logger: _logger, ...facts } }) =>
    log.debug({ kafka: { namespace, level: label, ...facts } }, message);
