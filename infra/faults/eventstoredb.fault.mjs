// Promise: no acknowledged event is lost or doubled, and followers see each event once and in order
// Breaks: EventStoreDB killed, frozen, stopped and cut off under load, answers lost; answers in time, recovery within 5 s
// Gate: backend/src/platform/event-store/eventstoredb-faults.spec.ts "concurrent appends whose answers are lost are each stored once, in call order"
// Gate: backend/src/platform/event-store/eventstoredb-faults.spec.ts "cut connections fail no read or append, and a follower sees each event once and in order"
// Gate: backend/src/platform/event-store/eventstoredb-faults.spec.ts "writes refused for longer than the deadline throw ServiceUnavailable and are not stored"
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreDbEventStore } from '../../backend/dist/platform/event-store/eventstoredb-event-store.js';
import { compareLog, compareSeen, followLog, Ledger, writeAhead, writeExpecting } from './lib/eventstore-load.mjs';
import { Proxy } from './lib/proxy.mjs';
import { between, seeded } from './lib/seeded.mjs';
import { readServersLog } from './lib/servers-log.mjs';
import { startServers } from './lib/servers.mjs';

const KINDS = ['append', 'append ahead', 'read', 'follow'];
const SEEN_MS = 30_000;

/** Faults of the server or the connection, and how they are repaired. */
const BREAKS = {
  killed: async ({ server, random }) => {
    await server.kill();
    await pause(between(random, 0, 1_500));
    await server.start();
  },
  frozen: async ({ server, short }) => {
    await server.freeze();
    await pause(short ? 3_000 : 8_000);
    server.thaw();
  },
  stopped: async ({ server, random, short }) => {
    await server.stop();
    await pause(short ? 300 : between(random, 0, 4_000));
    await server.start();
  },
  'cut off': async ({ turn, random, short }) => {
    for (let round = 0; round < (short ? 4 : 12); round += 1) {
      await turn('drop-connections');
      await pause(between(random, 20, 250));
    }
  },
  'answers lost': async ({ turn, short }) => {
    await turn('lose-acks?count=8&then=timeout');
    await turn('lose-acks?count=2&then=drop');
    if (!short) await turn('lose-acks?count=8&then=silence');
    await turn('delay-appends?count=5&ms=2500&when=before');
    await pause(short ? 2_500 : 6_000);
    await turn('reset');
  },
  // Only timeouts detect it, after 2.5 s.
  'silent on every connection': async ({ proxy }) => {
    proxy.freeze();
    await pause(3_000);
  },
};

const SHORT = ['killed', 'frozen', 'cut off', 'answers lost', 'stopped'];
const ORDER = [...Object.keys(BREAKS), 'killed', 'frozen', 'killed', 'answers lost'];

export const fault = {
  name: 'eventstoredb',
  alone: true,
  needs: 'servers',
  async run({ random, short, folder, print, wrong, count }) {
    const servers = await startServers({ folder: join(folder, 'servers'), only: ['eventstore'] });
    const server = servers.eventstore;
    const proxy = await Proxy.to(servers.env.EVENTSTORE_URL);
    const url = `${proxy.url.replace('http:', 'esdb:')}?tls=false`;
    const turn = (asked) => fetch(`${servers.env.EVENTSTORE_CONTROL_URL}/${asked}`, { method: 'POST' });
    const ledger = new Ledger(wrong, { short });
    const load = await Load.begin({ url, ledger });
    for (const name of short ? SHORT : ORDER) {
      await pause(short ? 700 : 2_000);
      await BREAKS[name]({ server, proxy, turn, random, short });
      print(`${name}: back ${Math.round(await ledger.back(KINDS))} ms after`);
    }
    const events = await load.end(servers.env);
    compareLog({ events, ledger, wrong });
    for (const seen of load.seen) compareSeen({ events, seen, wrong });
    print(`${ledger.calls} calls, ${ledger.unavailable} failed, ${ledger.refused.size} events refused, the longest call took ${Math.round(ledger.longest)} ms`);
    count('events', events.length);
    count('calls', ledger.calls);
    await load.close();
    proxy.close();
    await servers.stop();
  },
};

/** Five writers and two followers on the connections of three processes. */
class Load {
  seen = [[], []];

  static async begin({ url, ledger }) {
    const load = new Load();
    const open = () => EventStoreDbEventStore.open({ url, onTrouble: () => undefined });
    load.stores = [await open(), await open(), await open()];
    const stop = new AbortController();
    let isOver = false;
    const writing = Array.from({ length: 5 }, (_, index) => {
      const parts = { store: load.stores[index % 3], ledger, random: seeded(index), isOver: () => isOver, name: `w${index}` };
      return index < 3 ? writeExpecting(parts) : writeAhead(parts);
    });
    const following = load.seen.map((seen, index) => followLog({ store: load.stores[index], ledger, seen, signal: stop.signal }));
    /** @returns the log, once the followers have reached its end */
    load.end = async (env) => {
      isOver = true;
      await Promise.all(writing);
      const events = await readServersLog(env);
      for (const until = Date.now() + SEEN_MS; Date.now() < until; await pause(20)) {
        if (load.seen.every((seen) => seen.length >= events.length)) break;
      }
      stop.abort();
      await Promise.all(following);
      return events;
    };
    return load;
  }

  async close() {
    await Promise.all(this.stores.map((store) => store.close()));
  }
}
