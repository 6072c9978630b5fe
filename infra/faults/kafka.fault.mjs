// Promise: no command waits for Kafka, and the topic equals the log afterwards
// Breaks: Kafka down for thousands of events, killed, frozen and restarted under load
// Gate: backend/src/platform/stream-out/publish-to-kafka.spec.ts "an outage loses no events, and its start and end are logged once"
// Gate: backend/src/platform/stream-out/publish-to-kafka.spec.ts "publishing continues from its checkpoint, which moves when a batch is acknowledged"
// Gate: backend/src/platform/stream-out/kafka-publisher.spec.ts "unreachable brokers throw ServiceUnavailable within seconds, and closing does not wait for them"
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isHasty } from './lib/client.mjs';
import { Ledger } from './lib/ledger.mjs';
import { EmbeddedEventStore } from './lib/log-work.mjs';
import { startProgram } from './lib/program.mjs';
import { between } from './lib/seeded.mjs';
import { startServers } from './lib/servers.mjs';
import { until } from './lib/studio.mjs';
import { compareTopic } from './lib/topic.mjs';
import { Band } from './lib/work.mjs';
import { appendNext } from '../../backend/dist/testing/append-next.js';

const TOPIC = 'roughmix.events';
/** Commands must not wait for Kafka, which would take longer. Lagging read models may still defer one after 2 s. */
const SLOWEST_MS = 5_000;
const meta = { actorUid: null, at: 1_700_000_000_000, commandId: 'fault', correlationId: 'fault', causationId: null };

/** Appends a large backlog directly to the log of a stopped program, which is faster than by commands. */
async function backlog(folder, count) {
  const log = await EmbeddedEventStore.open({ file: join(folder, 'log.db') });
  try {
    for (let done = 0; done < count; done += 100) {
      const events = Array.from({ length: 100 }, () => ({ id: randomUUID(), type: 'CommentRated', data: { commentId: 'c1', from: null, to: 'likes' }, meta }));
      await appendNext(log, `project-backlog${(done / 100) % 40}`, events);
    }
  } finally {
    await log.close();
  }
}

async function lagOf(program) {
  const answer = await fetch(`${program.url}/health/ready`);
  return (await answer.json()).reactors['publish-to-kafka'];
}

const caughtUp = (program, milliseconds) => until('everything is published', async () => (await lagOf(program)) === 0, milliseconds);

/** Runs commands for some time; none may fail or wait. */
async function work(band, { random, ledger, milliseconds, wrong, count }) {
  const took = [];
  const end = performance.now() + milliseconds;
  const one = async () => {
    while (performance.now() < end) {
      const begun = performance.now();
      const { status, deferred } = await band.command(random, ledger);
      took.push(performance.now() - begun);
      if (deferred.some(isHasty)) wrong('a command was deferred at once while Kafka was failing');
      if (status === 0 || status >= 500) wrong(`a command was answered ${status} while Kafka was failing`);
      await pause(15);
    }
  };
  await Promise.all(Array.from({ length: 4 }, one));
  const slowest = Math.max(...took);
  if (slowest > SLOWEST_MS) wrong(`a command took ${Math.round(slowest)} ms while Kafka was failing`);
  count('commands', took.length);
  return took.toSorted((one1, other) => one1 - other)[Math.floor(took.length / 2)];
}

/** Faults of the broker under load. */
const TROUBLES = {
  'killed and started again': async (kafka, random) => {
    await kafka.kill();
    await pause(between(random, 0, 1_500));
    await kafka.start();
  },
  'frozen for 8 s': async (kafka) => {
    await kafka.freeze();
    await pause(8_000);
    kafka.thaw();
  },
  'stopped and started again': (kafka) => kafka.restart(),
};

async function compare({ env, folder, wrong, count, print }) {
  const { wrong: sentences, messages, repeats } = await compareTopic(env, TOPIC, folder);
  sentences.forEach(wrong);
  print(`${messages} messages, ${repeats} of them repeats`);
  count('messages compared', messages);
}

/** Kills the program while publishing; it continues from its checkpoint. */
async function killProgram({ program, band, env, folder, tools }) {
  const working = work(band, { ...tools, milliseconds: 1_000, wrong: () => undefined });
  await pause(600);
  await program.kill();
  await working;
  const again = await startProgram({ folder, env });
  band.moveTo(again.url);
  return again;
}

export const fault = {
  name: 'kafka',
  needs: 'servers',
  async run({ random, short, folder, print, wrong, count }) {
    const { kafka, env } = await startServers({ folder: join(folder, 'servers'), only: ['kafka'] });
    const data = join(folder, 'data');
    const tools = { random, ledger: new Ledger({ isPatient: true }), wrong, count };
    await (await startProgram({ folder: data })).stop();
    await backlog(data, short ? 5_000 : 50_000);
    await kafka.kill();
    let program = await startProgram({ folder: data, env });
    const band = await Band.form(program, { size: 2 });
    const away = await work(band, { ...tools, milliseconds: short ? 1_500 : 10_000 });
    await kafka.start();
    await caughtUp(program, 60_000);
    const there = await work(band, { ...tools, milliseconds: 1_000 });
    print(`median of a command: ${away.toFixed(1)} ms while Kafka is down, ${there.toFixed(1)} ms while it is up`);
    for (const trouble of short ? ['killed and started again'] : Object.keys(TROUBLES)) {
      const working = work(band, { ...tools, milliseconds: trouble.startsWith('frozen') ? 9_000 : 3_000 });
      await pause(200);
      await TROUBLES[trouble](kafka, random);
      await working;
      await caughtUp(program, 60_000);
    }
    if (!short) program = await killProgram({ program, band, env, folder: data, tools });
    await caughtUp(program, 60_000);
    const { code } = await program.stop();
    if (code !== 0) wrong(`the program exited with ${code} after SIGTERM`);
    count('deferred commands retried', tools.ledger.deferred.size);
    await compare({ env, folder: data, wrong, count, print });
  },
};
