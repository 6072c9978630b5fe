// Durable appends per second on the embedded log, compared with a bare group-commit loop in the same run, and with --servers with EventStoreDB.
// node infra/bench/append.mjs [--rounds 9] [--seconds 1.5] [--servers]   (build the backend first)
import { randomUUID } from 'node:crypto';
import { open, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ABOUT_SERVERS, median, openServers } from './lib/backends.mjs';
import { EmbeddedEventStore } from '../../backend/dist/platform/event-store/embedded-event-store.js';
import { appendNext } from '../../backend/dist/testing/append-next.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, seconds: { type: 'string', default: '1.5' }, servers: { type: 'boolean', default: false } },
});
const rounds = Number(values.rounds);
const milliseconds = Number(values.seconds) * 1000;
const EVENT_BYTES = 400;
/** Numbers of writers on EventStoreDB. */
const WRITERS = [1, 16, 64];

/** An event whose JSON is 400 bytes, as small as a comment. */
function anEvent() {
  const meta = { actorUid: null, at: Date.now(), commandId: 'bench', correlationId: 'bench', causationId: null };
  const event = { id: randomUUID(), type: 'BenchAppended', data: { text: '' }, meta };
  event.data.text = 'x'.repeat(EVENT_BYTES - JSON.stringify(event).length);
  return event;
}

const gather = () => new Promise((resolve) => setImmediate(resolve));

/** A minimal durable group commit: write everything that is queued at once, fdatasync, resolve all. */
function bareLog(handle) {
  const waiting = [];
  let running = false;
  const run = async () => {
    await gather();
    while (waiting.length > 0) {
      const group = waiting.splice(0);
      try {
        await handle.write(Buffer.concat(group.map((one) => one.record)));
        await handle.datasync();
        for (const one of group) one.resolve();
      } catch (error) {
        for (const one of group) one.reject(error);
      }
      await gather();
    }
    running = false;
  };
  return (record) =>
    new Promise((resolve, reject) => {
      waiting.push({ record, resolve, reject });
      if (running) return;
      running = true;
      void run();
    });
}

/** Runs writers in a closed loop; returns latencies in microseconds, and the number of failures. */
async function drive(writers, append) {
  const took = [];
  let failed = 0;
  const start = performance.now();
  const end = start + milliseconds;
  const write = async (writer) => {
    for (let now = performance.now(); now < end;) {
      try {
        await append(writer);
      } catch {
        failed += 1; // counted and printed beside the speed
      }
      const after = performance.now();
      took.push((after - now) * 1000);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  took.sort((a, b) => a - b);
  const at = (share) => took[Math.floor((took.length - 1) * share)];
  return { perSecond: (took.length - failed) / ((performance.now() - start) / 1000), p50: at(0.5), p99: at(0.99), failed };
}

async function oneFdatasync(handle) {
  const record = Buffer.alloc(EVENT_BYTES, 'x');
  return drive(1, async () => {
    await handle.write(record);
    await handle.datasync();
  });
}

const spread = (list) => `${Math.round(Math.min(...list))} - ${Math.round(Math.max(...list))}`;
const column = (results, name) => results.map((result) => result[name]);

function line(what, results) {
  const [rate, p50, p99] = ['perSecond', 'p50', 'p99'].map((name) => column(results, name));
  const failed = column(results, 'failed').reduce((sum, one) => sum + one, 0);
  return {
    what,
    'appends/s': Math.round(median(rate)),
    spread: spread(rate),
    'p50 us': Math.round(median(p50)),
    'p99 us': Math.round(median(p99)),
    'p99 spread': spread(p99),
    failed,
  };
}

function bar(what, ratios, atMost, limit) {
  const middle = median(ratios);
  const met = atMost ? middle <= limit : middle >= limit;
  const range = `${Math.min(...ratios).toFixed(2)} - ${Math.max(...ratios).toFixed(2)}`;
  return { what, ratio: middle.toFixed(2), spread: range, bar: `${atMost ? 'at most' : 'at least'} ${limit}`, met: met ? 'yes' : 'NO' };
}

/** The same measurements on EventStoreDB, and beside each the batch append of its own client, which has no deadlines. */
async function eventStoreDb(folder) {
  const { EventStoreDbEventStore } = await import('../../backend/dist/platform/event-store/eventstoredb-event-store.js');
  const { EventStoreDBClient, jsonEvent } = await import('@eventstore/db-client');
  const servers = await openServers(folder, ['eventstore']);
  const store = await EventStoreDbEventStore.open({ url: servers.env.EVENTSTORE_URL, onTrouble: (message) => console.error(message) });
  const client = EventStoreDBClient.connectionString(servers.env.EVENTSTORE_URL);
  const place = `bench-${randomUUID()}`;
  const ownAppend = (writer) => {
    const { id, type, data, meta } = anEvent();
    return client.appendToStream(`${place}-client-${writer}`, jsonEvent({ id, type, data, metadata: meta }));
  };
  const sides = {};
  const rows = [];
  for (const writers of WRITERS) {
    sides[`server${writers}`] = () => drive(writers, (writer) => appendNext(store, `${place}-${writers}-${writer}`, [anEvent()]));
    sides[`client${writers}`] = () => drive(writers, ownAppend);
    rows.push([`${writers} writers: EventStoreDB, a stream each`, `server${writers}`], [`${writers} writers: its client's batch append`, `client${writers}`]);
  }
  sides.server64one = () => drive(64, () => appendNext(store, `${place}-together`, [anEvent()]));
  rows.push(['64 writers: EventStoreDB, one stream', 'server64one']);
  return {
    sides,
    rows,
    close: async () => {
      await client.dispose();
      await store.close();
      await servers.stop();
    },
  };
}

const NONE = { sides: {}, rows: [], close: async () => undefined };

const folder = await mkdtemp(join(tmpdir(), 'roughmix-bench-'));
try {
  const store = await EmbeddedEventStore.open({ file: join(folder, 'log.db') });
  const handle = await open(join(folder, 'bare.log'), 'a');
  const bare = bareLog(handle);
  const other = values.servers ? await eventStoreDb(folder) : NONE;
  const sides = {
    sync1: () => oneFdatasync(handle),
    log1: () => drive(1, () => appendNext(store, 'bench-alone', [anEvent()])),
    bare64: () => drive(64, () => bare(Buffer.from(`${JSON.stringify(anEvent())}\n`))),
    log64: () => drive(64, (writer) => appendNext(store, `bench-${writer}`, [anEvent()])),
    log64one: () => drive(64, () => appendNext(store, 'bench-together', [anEvent()])),
    ...other.sides,
  };
  const results = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, run] of Object.entries(sides)) {
      const result = await run();
      if (round >= 0) results[name].push(result); // the first round warms up
    }
  }
  await other.close();
  await store.close();
  await handle.close();
  console.table([
    line('one writer: write and fdatasync', results.sync1),
    line('one writer: embedded log', results.log1),
    line('64 writers: bare group commit', results.bare64),
    line('64 writers: embedded log, a stream each', results.log64),
    line('64 writers: embedded log, one stream', results.log64one),
    ...other.rows.map(([what, side]) => line(what, results[side])),
  ]);
  const ratio = (name, over, field) => results[name].map((result, i) => result[field] / results[over][i][field]);
  console.table([
    bar('64 writers, appends/s over bare', ratio('log64', 'bare64', 'perSecond'), false, 0.5),
    bar('64 writers on one stream, over bare', ratio('log64one', 'bare64', 'perSecond'), false, 0.5),
    bar('one writer, p50 over one fdatasync', ratio('log1', 'sync1', 'p50'), true, 1.5),
    bar('one writer, p99 over one fdatasync', ratio('log1', 'sync1', 'p99'), true, 2),
    ...(values.servers
      ? WRITERS.map((n) => bar(`${n} writers, appends/s over EventStoreDB's client`, ratio(`server${n}`, `client${n}`, 'perSecond'), false, 0.8))
      : []),
  ]);
  if (values.servers) console.log(ABOUT_SERVERS);
} finally {
  await rm(folder, { recursive: true });
}
