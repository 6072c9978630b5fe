import { Kafka, logLevel } from 'kafkajs';
import { within } from '../health/deadline.js';
import type { KafkaAccess } from './kafka-access.js';
import { kafkaLogTo, type PublisherLogger } from './kafka-log.js';

const CONNECT_MS = 3_000;
const REQUEST_MS = 5_000;
/** The client's own retries survive short outages without duplicates, by sequence numbers. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 8 };
const END_MS = 3_000;

export const kafkaClient = ({ brokers, tls = false, ca, sasl }: KafkaAccess, log: PublisherLogger): Kafka =>
  new Kafka({
    clientId: 'roughmix',
    brokers: [...brokers],
    ssl: tls && ca !== undefined ? { ca: [ca] } : tls,
    // Copied, because the client notes the mechanism in it.
    ...(sasl === undefined ? {} : { sasl: { ...sasl } }),
    connectionTimeout: CONNECT_MS,
    authenticationTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    retry: RETRY,
    logLevel: logLevel.WARN,
    logCreator: kafkaLogTo(log),
  });

/** Disconnects a producer or admin, or leaves it to its own timeouts if it does not answer. */
export async function disconnect(client: { disconnect(): Promise<void> }): Promise<void> {
  await within(END_MS, client.disconnect()).catch(() => undefined);
}
