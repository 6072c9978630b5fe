// Promise: whichever node of a cluster leads, nothing acknowledged is lost or doubled, nothing is answered wrongly, and followers see each event once and in order
// Breaks: of three nodes of EventStoreDB the leader is killed, frozen, cut off and deposed, a follower killed and frozen, two or all are away, any are killed for a minute; back within 2 s after a node leads
// Gate: short form
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ClusterNodes } from './lib/cluster-nodes.mjs';
import { ClusterCommands } from './lib/cluster-commands.mjs';
import { Ledger, Load } from './lib/eventstore-load.mjs';
import { between } from './lib/seeded.mjs';
import { startServers } from './lib/servers.mjs';

/** How long it takes until the program works again once a node leads, with a small allowance for a busy machine, and with a larger one in the gate. */
const BACK_MS = { full: 2_500, short: 6_000 };
const RANDOM_MS = 60_000;

/** How a node goes away and comes back. */
const AWAY = { killed: ['kill-node', 'start-node'], frozen: ['freeze-node', 'thaw-node'], 'cut off': ['cut-node', 'join-node'] };

/** Takes a node away for a time. `elect`: how soon the others elect, if not as late as a real cluster. */
async function without(node, kind, { ms, elect, nodes, back }) {
  const [off, on] = AWAY[kind];
  const end = performance.now() + ms;
  await nodes.turn(`${off}?n=${node.n}${elect === undefined ? '' : `&elect=${elect}`}`);
  await back();
  await pause(Math.max(0, end - performance.now()));
  await nodes.turn(`${on}?n=${node.n}`);
  await back();
}

/** Kills nodes so that no majority is left. */
async function withoutMajority(killed, { ms, nodes, back }) {
  for (const { n } of killed) await nodes.turn(`kill-node?n=${n}`);
  await pause(ms);
  for (const { n } of killed) await nodes.turn(`start-node?n=${n}`);
  await back();
}

const BREAKS = {
  'leader killed': async (tools) => without(await tools.nodes.leader(), 'killed', { ...tools, ms: 5_000 }),
  'leader frozen for 20 s': async (tools) => without(await tools.nodes.leader(), 'frozen', { ...tools, ms: 20_000 }),
  'leader cut off for 15 s': async (tools) => without(await tools.nodes.leader(), 'cut off', { ...tools, ms: 15_000 }),
  'leader resigned': async ({ nodes, back }) => {
    await nodes.turn(`elect?n=${(await nodes.follower()).n}`);
    await back();
  },
  'follower killed': async (tools) => without(await tools.nodes.follower(), 'killed', { ...tools, ms: 3_000 }),
  'follower frozen': async (tools) => without(await tools.nodes.follower(), 'frozen', { ...tools, ms: 12_000 }),
  'two of three away for 20 s': async (tools) => withoutMajority([await tools.nodes.leader(), await tools.nodes.follower()], { ...tools, ms: 20_000 }),
  'all away for 45 s': async (tools) => withoutMajority(await tools.nodes.all(), { ...tools, ms: 45_000 }),
  'a minute of random kills': async ({ nodes, random, back }) => {
    for (const end = performance.now() + RANDOM_MS; performance.now() < end;) {
      const n = between(random, 1, 3);
      await nodes.turn(`kill-node?n=${n}`);
      await pause(between(random, 0, 3_000));
      await nodes.turn(`start-node?n=${n}`);
      await pause(between(random, 0, 3_000));
    }
    await back();
  },
};

/** The form of the gate elects sooner than a real cluster. */
const SHORT_BREAKS = {
  'leader killed': async (tools) => without(await tools.nodes.leader(), 'killed', { ...tools, ms: 1_500, elect: 300 }),
  'leader frozen': async (tools) => without(await tools.nodes.leader(), 'frozen', { ...tools, ms: 5_000, elect: 3_000 }),
};

/** Breaks the cluster under a load, one way after the other. `worked`: waits until the load succeeds again and returns how long that took. */
async function breakEach(breaks, { nodes, worked, random, short, print, wrong }) {
  for (const [name, broken] of Object.entries(breaks)) {
    const times = [];
    const back = async () => {
      const led = await nodes.untilLed();
      const took = await worked();
      if (took > BACK_MS[short ? 'short' : 'full']) wrong(`${name}: back only ${Math.round(took)} ms after a node led`);
      times.push(`${Math.round(took)} ms${led < 100 ? '' : ` (a node led after ${Math.round(led)})`}`);
    };
    await pause(short ? 500 : 2_000);
    await broken({ nodes, random, back });
    print(`${name}: back after ${times.join(', then ')}`);
  }
}

/** Five writers and two followers on three connections. */
async function atAdapter({ folder, ...tools }) {
  const { short, wrong } = tools;
  const servers = await startServers({ folder: join(folder, 'adapter'), only: ['eventstore'], nodes: 3 });
  const ledger = new Ledger(wrong, { short, backMs: Infinity });
  const load = await Load.begin({ url: servers.env.EVENTSTORE_URL, ledger });
  await breakEach(short ? SHORT_BREAKS : BREAKS, { ...tools, nodes: new ClusterNodes(servers.env), worked: () => ledger.back() });
  await load.compare(servers.env, { ...tools, ledger });
  await servers.stop();
}

/** Two programs under ten commands a second. */
async function withPrograms({ folder, ...tools }) {
  const servers = await startServers({ folder: join(folder, 'programs'), only: ['eventstore', 'mongodb', 's3'], nodes: 3 });
  const commands = await ClusterCommands.begin({ ...tools, folder, env: servers.env });
  await breakEach(BREAKS, { ...tools, nodes: new ClusterNodes(servers.env), worked: () => commands.back() });
  await commands.compare(servers.env);
  await servers.stop();
}

export const fault = {
  name: 'cluster',
  alone: true,
  limitS: 900,
  needs: 'servers',
  async run(tools) {
    await atAdapter(tools);
    if (tools.short) return;
    tools.print('two programs under ten commands a second');
    await withPrograms(tools);
  },
};
