// Events published to Kafka per second, to one broker and to three, from a log that is there already: by the program's publisher, and by one send of each batch to all
// partitions, which loses events when one of several brokers fails (docs/adr/0025).
// node infra/bench/publish.mjs [--rounds 5] [--events 20000]   (build the backend first; needs ../shared/services)
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { median } from './lib/backends.mjs';
import { KafkaBrokers } from '../faults/lib/kafka-brokers.mjs';
import { endServers, startServers } from '../faults/lib/servers.mjs';
import { EmbeddedEventStore } from '../../backend/dist/platform/event-store/embedded-event-store.js';
import { KafkaPublisher } from '../../backend/dist/platform/stream-out/kafka-publisher.js';
import { PublishToKafka } from '../../backend/dist/platform/stream-out/publish-to-kafka.js';
import { EmbeddedVault } from '../../backend/dist/platform/vault/embedded-vault.js';
import { appendNext } from '../../backend/dist/testing/append-next.js';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, events: { type: 'string', default: '20000' } } });
const [rounds, count] = [Number(values.rounds), Number(values.events)];
const STREAMS = 60;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error };
const meta = { actorUid: null, at: 1_700_000_000_000, commandId: 'bench', correlationId: 'bench', causationId: null };

/** Events of many streams in turn, so that each batch goes to every partition. */
async function aLog(folder) {
  const log = await EmbeddedEventStore.open({ file: join(folder, 'log.db') });
  const one = (at) =>
    appendNext(log, `project-${at % STREAMS}`, [{ id: randomUUID(), type: 'CommentRated', data: { commentId: 'c1', from: null, to: 'likes' }, meta }]);
  for (let at = 0; at < count; at += STREAMS) await Promise.all(Array.from({ length: STREAMS }, (_, each) => one(at + each)));
  return log;
}

/** One send a batch by one idempotent producer. */
async function oneSend({ brokers, topic }) {
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, idempotent: true, maxInFlightRequests: 1 });
  const publish = async (events) => {
    const messages = events.map(({ key, id, type, body }) => ({
      key,
      value: body,
      headers: { 'content-type': 'application/cloudevents+json; charset=UTF-8', ce_id: id, ce_type: type },
    }));
    await producer.send({ topic, acks: -1, messages });
  };
  return { connect: () => producer.connect(), publish, close: () => producer.disconnect() };
}

const PUBLISHERS = { 'one send a batch': oneSend, 'one send a partition': (options) => KafkaPublisher.open({ ...options, log: quiet }) };

/** Publishes the whole log to a new topic. @returns events per second */
async function publishAll(log, open, { folder, brokers }) {
  const topic = `bench-${randomUUID()}`;
  // Creates the topic.
  const first = await KafkaPublisher.open({ brokers, topic, log: quiet });
  await first.connect(new AbortController().signal);
  await first.close();
  const vault = await EmbeddedVault.open({ file: join(folder, `${topic}.db`) });
  const publisher = await open({ brokers, topic });
  await publisher.connect(new AbortController().signal);
  const loop = new PublishToKafka({ store: log, vault, publisher, isKnown: () => true, log: quiet });
  const from = performance.now();
  await loop.start();
  while ((await loop.status()).lag > 0) await pause(20);
  const seconds = (performance.now() - from) / 1_000;
  await loop.stop();
  for (const each of [publisher, vault]) await each.close();
  return (await log.head()) / seconds;
}

async function measure(name, { log, folder, brokers }) {
  const speeds = Object.fromEntries(Object.keys(PUBLISHERS).map((each) => [each, []]));
  // The first round warms everything up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [each, open] of Object.entries(PUBLISHERS)) {
      const speed = await publishAll(log, open, { folder, brokers });
      if (round > 0) speeds[each].push(speed);
    }
  }
  const [before, after] = Object.values(speeds).map(median);
  for (const [each, list] of Object.entries(speeds))
    console.log(`${name}: ${each}: ${Math.round(median(list)).toLocaleString('en')} events/s (${list.map(Math.round).join(', ')})`);
  console.log(`${name}: ratio ${(after / before).toFixed(2)}`);
}

const folder = await mkdtemp(join(tmpdir(), 'roughmix-publish-'));
try {
  const log = await aLog(folder);
  const single = await startServers({ folder: join(folder, 'one'), only: ['kafka'] });
  await measure('one broker', { log, folder, brokers: single.env.KAFKA_BROKERS.split(',') });
  await single.stop();
  const three = await KafkaBrokers.start({ folder: join(folder, 'three') });
  await measure('three brokers', { log, folder, brokers: three.env.KAFKA_BROKERS.split(',') });
  await log.close();
} finally {
  await endServers();
  await rm(folder, { recursive: true, force: true });
}
