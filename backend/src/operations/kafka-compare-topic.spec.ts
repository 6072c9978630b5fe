import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { EmbeddedEventStore } from '../platform/event-store/embedded-event-store.js';
import { TakenCheckpoint } from '../platform/reactors/taken-checkpoint.js';
import { cloudEventOf, outgoing, sourceOf } from '../platform/stream-out/cloud-event.js';
import { KafkaPublisher } from '../platform/stream-out/kafka-publisher.js';
import { PUBLISH_TO_KAFKA, PublishToKafka } from '../platform/stream-out/publish-to-kafka.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import { appendNext } from '../testing/append-next.js';
import { kafkaOf } from '../testing/kafka-access.js';
import { operate } from '../testing/operate.js';
import { kafkaAt } from '../testing/read-topic.js';

const onServer = (process.env['KAFKA_BROKERS'] ?? '') === '' ? test.skip : test;
const meta = { actorUid: null, at: 1_700_000_000_000, commandId: 'c', correlationId: 'c', causationId: null };
const patient = new AbortController().signal;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let folder: string;
let topic: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-topic-'));
  topic = `roughmix-spec-${randomUUID()}`;
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  const admin = kafkaAt(kafkaOf(process.env)).admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
});

/** Works on log, vault and topic, and closes them, as the operations need the data folder for themselves. */
async function withStores(work: (parts: { store: EmbeddedEventStore; vault: EmbeddedVault; publisher: KafkaPublisher }) => Promise<void>): Promise<void> {
  const store = await EmbeddedEventStore.open({ file: join(folder, 'log.db') });
  const vault = await EmbeddedVault.open({ file: join(folder, 'vault.db') });
  const publisher = await KafkaPublisher.open({ ...kafkaOf(process.env), topic, log: quiet });
  await work({ store, vault, publisher });
  for (const each of [publisher, vault, store]) await each.close();
}

const isKnown = (): boolean => true;

/** Publishes what the checkpoint has not reached. */
const publishAll = (): Promise<void> =>
  withStores(async (parts) => {
    const loop = new PublishToKafka({ ...parts, isKnown, log: quiet });
    await loop.start();
    while ((await loop.status()).lag > 0) await new Promise((resolve) => setImmediate(resolve));
    await loop.stop();
  });

const write = ({ store }: { store: EmbeddedEventStore }, count: number): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, n) => appendNext(store, `stream-${n % 2}`, [{ id: randomUUID(), type: 'OperationTried', data: { n }, meta }])));

async function run(...args: readonly string[]): Promise<{ code: number; lines: readonly string[] }> {
  const out = new PassThrough();
  const output = text(out);
  const kafka = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('KAFKA_')));
  const environment = { DATA_DIR: folder, ...kafka, KAFKA_TOPIC: topic };
  const code = await operate(args, environment, { out, err: new PassThrough().resume(), signal: patient });
  out.end();
  return { code, lines: (await output).split('\n').filter((line) => line !== '') };
}

onServer('events compare-topic finds every published event in the topic, and ignores later ones', async () => {
  await withStores((parts) => write(parts, 50).then(() => undefined));
  await publishAll();
  await withStores((parts) => write(parts, 5).then(() => undefined));
  const summary = `${topic} has every event in order: 0 of 50 up to position 50 are missing, 0 of 50 messages are repeats`;
  expect(await run('events', 'compare-topic')).toEqual({ code: 0, lines: [summary] });
});

onServer('events compare-topic lists events that are missing or out of order, and reactors rewind repairs the topic', async () => {
  let lost: readonly string[] = [];
  await withStores(async ({ store, vault, publisher }) => {
    for (let n = 0; n < 10; n += 1) await write({ store }, 2);
    const events = await store.readAll({ after: 0, limit: 100 });
    const [first, second, ...others] = events.map((event) => outgoing(cloudEventOf(event, { source: sourceOf(store.identity), isKnown })));
    if (first === undefined || second === undefined) throw new Error('the log is empty');
    lost = events.slice(4, 5).map(({ stream, id }) => `missing: position 5, ${stream}, OperationTried, ${id}`);
    const kept = others.filter((_event, at) => at !== 2);
    // The first event of the other stream comes last.
    for (const batch of [[first], kept, [second]]) await publisher.publish(batch, patient);
    await (await TakenCheckpoint.take(vault, PUBLISH_TO_KAFKA)).move(20);
  });
  expect(await run('events', 'compare-topic')).toEqual({
    code: 1,
    lines: [
      ...lost,
      'out of order: stream-1 from revision 1 on',
      `${topic} does not have every event in order: 1 of 20 up to position 20 are missing, 0 of 19 messages are repeats`,
      'to publish them again in order: operate -- reactors rewind publish-to-kafka --to 3',
    ],
  });
  expect((await run('reactors', 'rewind', PUBLISH_TO_KAFKA, '--to', '3')).code).toBe(0);
  await publishAll();
  const summary = `${topic} has every event in order: 0 of 20 up to position 20 are missing, 16 of 36 messages are repeats`;
  expect(await run('events', 'compare-topic')).toEqual({ code: 0, lines: [summary] });
});

onServer('events compare-topic says what is missing before it can compare', async () => {
  await withStores(({ publisher }) => publisher.connect(patient));
  const err = new PassThrough();
  const said = text(err);
  expect(await operate(['events', 'compare-topic'], { DATA_DIR: folder }, { out: new PassThrough().resume(), err, signal: patient })).toBe(2);
  err.end();
  expect(await said).toBe('events compare-topic: KAFKA_BROKERS is not set\n');
});
