import { types } from 'node:util';
import { ServiceUnavailable } from '../store-errors.js';
import { EventsTooLarge, PublishingRefused } from './event-stream-publisher.js';

const TOO_LARGE: readonly unknown[] = ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'];
const NOT_TRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;
const DEPTH = 5;

/** What an operator must do about an error, by the type that the brokers give it. */
const REFUSALS: Readonly<Record<string, string>> = {
  TOPIC_AUTHORIZATION_FAILED: 'the user lacks a right on the topic: publishing needs Describe and Write, events compare-topic needs Describe and Read',
  CLUSTER_AUTHORIZATION_FAILED: 'the user lacks a right on the cluster: brokers before version 3 require IdempotentWrite',
  GROUP_AUTHORIZATION_FAILED: 'the user lacks the right Read on consumer groups whose names begin with roughmix-reader-',
  ILLEGAL_SASL_STATE: 'the brokers expect no user: KAFKA_USERNAME must not be set',
};

/** An error, its chain of causes, and the errors of several topics. */
function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let each = error; types.isNativeError(each) && chain.length < DEPTH; each = causeOf(each)) chain.push(each);
  return chain;
}

const causeOf = (error: Error): unknown => error.cause ?? ('errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined);

const textOf = (name: 'type' | 'code', error: Error): string => {
  const text = (error as Partial<Record<typeof name, unknown>>)[name];
  return typeof text === 'string' ? text : '';
};

/** The types that the brokers gave an error and its causes. */
export const typesOf = (error: unknown): readonly string[] => chainOf(error).map((each) => textOf('type', each));

/** Maps a client error to the port's. Its message names brokers and topics, never event contents. */
export function toPortError(error: unknown, failed = 'Kafka did not accept the events'): EventsTooLarge | ServiceUnavailable {
  if (error instanceof PublishingRefused) return error;
  const chain = chainOf(error);
  if (chain.some((each) => TOO_LARGE.includes(textOf('type', each))))
    return new EventsTooLarge('Kafka refused the events because of their size', { cause: error });
  const refusal = chain.map(refusalIn).find((sentence) => sentence !== null);
  if (refusal !== undefined && refusal !== null) return new PublishingRefused(`Kafka: ${refusal}`, { cause: error });
  return new ServiceUnavailable(`${failed} (${detailOf(chain.at(-1)) ?? String(error)})`, { cause: error });
}

/** What must be changed before the brokers accept anything; null if waiting may help. */
function refusalIn(error: Error): string | null {
  if (error.name === 'KafkaJSSASLAuthenticationError') return `KAFKA_USERNAME, KAFKA_PASSWORD or KAFKA_SASL is wrong (${error.message})`;
  if (NOT_TRUSTED.test(textOf('code', error)))
    return `the certificate of a broker is not trusted (${error.message}); KAFKA_CA_FILE names the authority to trust`;
  return REFUSALS[textOf('type', error)] ?? null;
}

/** A message that also names what else may be the cause. */
function detailOf(error: Error | undefined): string | undefined {
  if (error?.name === 'KafkaJSConnectionClosedError') return `${error.message}; brokers also close it if they need TLS (KAFKA_TLS) or a user (KAFKA_USERNAME)`;
  if (error !== undefined && /secure TLS connection/.test(error.message)) return `${error.message}; does this port use TLS? (KAFKA_TLS)`;
  return error?.message;
}
