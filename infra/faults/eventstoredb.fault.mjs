// Promise: no acknowledged event is lost or doubled, and followers see each event once and in order
// Breaks: EventStoreDB, one node or three, killed, frozen, stopped and cut off under load, answers lost; answers in time, recovery within 5 s
// Gate: backend/src/platform/event-store/eventstoredb-faults.spec.ts "concurrent appends whose answers are lost are each stored once, in call order"
// Gate: backend/src/platform/event-store/eventstoredb-faults.spec.ts "cut connections fail no read or append, and a follower sees each event once and in order"
// Gate: backend/src/platform/event-store/eventstoredb-faults.spec.ts "writes refused for longer than the deadline throw ServiceUnavailable and are not stored"
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ClusterNodes } from './lib/cluster-nodes.mjs';
import { Ledger, Load } from './lib/eventstore-load.mjs';
import { Proxy } from './lib/proxy.mjs';
import { between } from './lib/seeded.mjs';
import { startServers } from './lib/servers.mjs';

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
/** The nodes of a cluster are not reached through a proxy, and cannot be stopped gently. */
const ON_CLUSTER = ['killed', 'frozen', 'cut off', 'answers lost', 'killed', 'frozen', 'answers lost'];

/** One node behind a proxy. */
async function oneNode(folder) {
  const servers = await startServers({ folder: join(folder, 'servers'), only: ['eventstore'] });
  const proxy = await Proxy.to(servers.env.EVENTSTORE_URL);
  return { servers, proxy, server: servers.eventstore, url: `${proxy.url.replace('http:', 'esdb:')}?tls=false` };
}

/** Three nodes that are killed, started and frozen together. */
async function threeNodes(folder) {
  const servers = await startServers({ folder: join(folder, 'cluster'), only: ['eventstore'], nodes: 3 });
  const nodes = new ClusterNodes(servers.env);
  const server = {
    kill: () => nodes.turnAll('kill-node'),
    start: () => nodes.turnAll('start-node'),
    freeze: () => servers.eventstore.freeze(),
    thaw: () => servers.eventstore.thaw(),
  };
  return { servers, server, url: servers.env.EVENTSTORE_URL };
}

async function run({ servers, proxy, url, ...target }, order, { random, short, print, wrong, count }) {
  const nodes = new ClusterNodes(servers.env);
  const ledger = new Ledger(wrong, { short });
  const load = await Load.begin({ url, ledger });
  for (const name of order) {
    await pause(short ? 700 : 2_000);
    await BREAKS[name]({ ...target, proxy, turn: (asked) => nodes.turn(asked), random, short });
    print(`${name}: back ${Math.round(await ledger.back())} ms after`);
  }
  await load.compare(servers.env, { ledger, print, wrong, count });
  proxy?.close();
  await servers.stop();
}

export const fault = {
  name: 'eventstoredb',
  alone: true,
  limitS: 360,
  needs: 'servers',
  async run({ folder, ...tools }) {
    await run(await oneNode(folder), tools.short ? SHORT : ORDER, tools);
    if (tools.short) return;
    tools.print('on three nodes');
    await run(await threeNodes(folder), ON_CLUSTER, tools);
  },
};
