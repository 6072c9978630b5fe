import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { kafkaOf } from '../../testing/kafka-access.js';
import { kafkaAt } from '../../testing/read-topic.js';
import { ServiceUnavailable } from '../store-errors.js';
import { someEvents } from './event-stream-publisher.contract.js';
import { PublishingRefused } from './event-stream-publisher.js';
import type { KafkaAccess } from './kafka-access.js';
import { KafkaPublisher } from './kafka-publisher.js';
import { endsOf } from './topic-reader.js';

/** A cluster with TLS and users: the program's variables with another prefix. */
const CLUSTER = 'KAFKA_CLUSTER_';
const given = Object.entries(process.env).filter(([name]) => name.startsWith(CLUSTER));
const access = kafkaOf(Object.fromEntries(given.map(([name, value]) => [name.replace(CLUSTER, 'KAFKA_'), value])));
const { ca: _ca, ...withoutAuthority } = access;
const { sasl: _sasl, ...withoutUser } = access;
const user = { username: process.env[`${CLUSTER}USERNAME`] ?? '', password: process.env[`${CLUSTER}PASSWORD`] ?? '' };
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const patient = new AbortController().signal;
const topic = `roughmix-spec-${randomUUID()}`;
const kafka = kafkaAt(access);

const messages = async (): Promise<number> => (await endsOf(kafka, topic)).reduce((sum, { high }) => sum + high, 0);

beforeAll(() => publish(access));
afterAll(async () => {
  const admin = kafka.admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
});

async function publish(how: KafkaAccess): Promise<void> {
  const publisher = await KafkaPublisher.open({ ...how, topic, log: quiet });
  try {
    await publisher.publish(someEvents(0, 1), patient);
  } finally {
    await publisher.close();
  }
}

describe.each(['scram-sha-512', 'scram-sha-256', 'plain'] as const)('over TLS, %s', (mechanism) => {
  test('publishes as a user', async () => {
    const before = await messages();
    await publish({ ...access, sasl: { mechanism, ...user } });
    expect(await messages()).toBe(before + 1);
  });

  test('with a wrong password names the variables', async () => {
    const wrong = publish({ ...access, sasl: { mechanism, ...user, password: 'wrong' } });
    await expect(wrong).rejects.toBeInstanceOf(PublishingRefused);
    await expect(wrong).rejects.toThrow(/^Kafka: KAFKA_USERNAME, KAFKA_PASSWORD or KAFKA_SASL is wrong \(SASL .+ failed: .+\)$/);
  });
});

test('a certificate of an unknown authority names the variable that trusts it', async () => {
  const untrusted = publish(withoutAuthority);
  await expect(untrusted).rejects.toBeInstanceOf(PublishingRefused);
  await expect(untrusted).rejects.toThrow(/^Kafka: the certificate of a broker is not trusted \(.+\); KAFKA_CA_FILE names the authority to trust$/);
});

test.each([
  ['TLS', { ...access, tls: false }],
  ['a user', withoutUser],
])('without %s, which the brokers need, the error says that they may need it', async (_what, how) => {
  const closed = publish(how);
  await expect(closed).rejects.toBeInstanceOf(ServiceUnavailable);
  await expect(closed).rejects.toThrow('(Closed connection; brokers also close it if they need TLS (KAFKA_TLS) or a user (KAFKA_USERNAME))');
});
