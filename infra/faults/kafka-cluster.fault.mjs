// Promise: whichever of several brokers fails, every published event is in the topic, in the order of its stream
// Breaks: of three brokers of Kafka one is killed, frozen for 12 and 25 s, all are restarted one by one, two are killed at once, any are killed, frozen and stopped for a minute
// Gate: backend/src/platform/stream-out/kafka-publisher.spec.ts "do not count as having acknowledged events as long as the client does not know them"
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BROKERS, KafkaBrokers } from './lib/kafka-brokers.mjs';
import { PublishedLog, TOPIC } from './lib/published-log.mjs';
import { operate } from './lib/program.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { compareTopic } from './lib/topic.mjs';

/** How long publishing may take to catch up once all brokers are back. */
const CATCH_UP_MS = 60_000;
const COMPARE_MS = 60_000;
const RANDOM_MS = { full: 60_000, short: 20_000 };

const AWAY = {
  killed: [(brokers, n) => brokers.kill(n), (brokers, n) => brokers.startOne(n)],
  frozen: [(brokers, n) => brokers.freeze(n), (brokers, n) => brokers.thaw(n)],
  stopped: [(brokers, n) => brokers.stopOne(n), (brokers, n) => brokers.startOne(n)],
};

/** Takes brokers away for a time. */
async function without(numbers, kind, { brokers, ms }) {
  const [off, on] = AWAY[kind];
  await Promise.all(numbers.map((n) => off(brokers, n)));
  await pause(ms);
  await Promise.all(numbers.map((n) => on(brokers, n)));
}

const one = (random) => oneOf(random, BROKERS);
const two = (random) => {
  const spared = one(random);
  return BROKERS.filter((n) => n !== spared);
};

async function atRandom({ random, ms, ...tools }) {
  for (const end = performance.now() + ms; performance.now() < end; await pause(between(random, 0, 3_000)))
    await without([one(random)], oneOf(random, Object.keys(AWAY)), { ...tools, ms: between(random, 0, 7_000) });
}

const BREAKS = {
  'one killed': ({ random, ...tools }) => without([one(random)], 'killed', { ...tools, ms: 15_000 }),
  'one frozen for 12 s': ({ random, ...tools }) => without([one(random)], 'frozen', { ...tools, ms: 12_000 }),
  'one frozen for 25 s': ({ random, ...tools }) => without([one(random)], 'frozen', { ...tools, ms: 25_000 }),
  'restarted one by one': async (tools) => {
    for (const n of BROKERS) {
      await without([n], 'stopped', { ...tools, ms: 1_000 });
      await pause(3_000);
    }
  },
  'two killed at once': ({ random, ...tools }) => without(two(random), 'killed', { ...tools, ms: 10_000 }),
  'a minute at random': (tools) => atRandom({ ...tools, ms: RANDOM_MS.full }),
};

const SHORT_BREAKS = {
  'one killed': ({ random, ...tools }) => without([one(random)], 'killed', { ...tools, ms: 10_000 }),
  'two killed at once': ({ random, ...tools }) => without(two(random), 'killed', { ...tools, ms: 3_000 }),
  '20 s at random': (tools) => atRandom({ ...tools, ms: RANDOM_MS.short }),
};

/** Compares the topic with the log, independently and by the program's own command. */
async function compare({ env, folder, wrong, print }) {
  const { wrong: sentences, messages, repeats } = await compareTopic(env, TOPIC, folder);
  sentences.forEach(wrong);
  print(`${messages} messages, ${repeats} of them repeats`);
  const { code, out } = await operate(folder, ['events', 'compare-topic'], { env, milliseconds: COMPARE_MS });
  const [last] = out.trim().split('\n').slice(-1);
  if ((code === 0) !== (sentences.length === 0)) wrong(`events compare-topic comes to another result (${code}): ${last}`);
  print(last);
}

export const fault = {
  name: 'kafka-cluster',
  limitS: 600,
  needs: 'servers',
  async run({ random, short, folder, print, wrong, count }) {
    const brokers = await KafkaBrokers.start({ folder: join(folder, 'brokers') });
    const log = await PublishedLog.open(join(folder, 'data'), brokers.env);
    await log.loop.start();
    log.write();
    await log.caughtUp(CATCH_UP_MS);
    for (const [name, broken] of Object.entries(short ? SHORT_BREAKS : BREAKS)) {
      await pause(1_000);
      await broken({ brokers, random });
      print(`${name}: everything is published ${Math.round(await log.caughtUp(CATCH_UP_MS))} ms after all brokers are back`);
    }
    await log.end(CATCH_UP_MS);
    count('events published', log.appended);
    await compare({ env: brokers.env, folder: join(folder, 'data'), wrong, print });
  },
};
