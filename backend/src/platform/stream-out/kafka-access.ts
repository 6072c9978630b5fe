import type { SASLOptions } from 'kafkajs';
import type { Config } from '../config/config.js';

/** How to reach the brokers (`host:port`). No authentication without `sasl`, no encryption without `tls`; `ca` has the certificates (PEM) to trust instead of Node's. */
export interface KafkaAccess {
  readonly brokers: readonly string[];
  readonly tls?: boolean;
  readonly ca?: string;
  readonly sasl?: SASLOptions;
}

/** The access that the configuration describes; null if no brokers are configured. */
export function kafkaAccessOf(config: Config): KafkaAccess | null {
  const { KAFKA_BROKERS: brokers, KAFKA_TLS: tls, KAFKA_CA_FILE: ca } = config;
  const sasl = saslOf(config);
  return brokers === null ? null : { brokers, tls: tls === 'true', ...(ca === null ? {} : { ca }), ...(sasl === null ? {} : { sasl }) };
}

function saslOf({ KAFKA_SASL: mechanism, KAFKA_USERNAME: username, KAFKA_PASSWORD: password }: Config): SASLOptions | null {
  return username === null || password === null ? null : { mechanism, username, password };
}
