// Promise: no acknowledged write to MongoDB is lost, and interrupted batches are completed
// Breaks: MongoDB killed, frozen and cut off under load; answers in time, recovery within 5 s
// Gate: backend/src/platform/mongo/mongo-late-writes.spec.ts "undoes no later acknowledged write to the vault, the facts, the documents or their checkpoint"
// Gate: backend/src/platform/mongo/replica-set-wire.spec.ts "after the driver's monitor stops for good, the client is replaced and finds its server again"
// Gate: backend/src/platform/projections/projection-pages.spec.ts "when save %i fails, later changes are discarded, and after the next attempt everything is as if no save had failed"
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atLast, compareDocuments, compareVault, open, project, SmallLog, useVault, VaultLedger, Watch } from './lib/mongo-load.mjs';
import { Proxy } from './lib/proxy.mjs';
import { between, seeded } from './lib/seeded.mjs';
import { startServers } from './lib/servers.mjs';

const KINDS = ['load', 'save', 'get', 'replace', 'insert', 'put'];
const HALF = { collection: 'half_v1_g1', documents: 8_000 };

/** Faults of the server or the connection, and how they are repaired. */
const BREAKS = {
  killed: async ({ server, random }) => {
    await server.kill();
    await pause(between(random, 0, 1_500));
    await server.start();
  },
  frozen: async ({ server, short }) => {
    await server.freeze();
    await pause(short ? 5_000 : 8_000);
    server.thaw();
  },
  'cut in mid-answer': async ({ proxy, random, short }) => {
    for (let round = 0; round < (short ? 4 : 12); round += 1) {
      proxy.cutAfter(between(random, 0, 5_000));
      await pause(between(random, 20, 250));
    }
    proxy.cutAfter(Infinity);
  },
  'cut off': async ({ proxy }) => proxy.cut(),
  // Only timeouts detect it.
  'silent on every connection': async ({ proxy }) => proxy.freeze(),
};

const ORDER = [...Object.keys(BREAKS), 'killed', 'frozen', 'killed', 'cut in mid-answer'];

export const fault = {
  name: 'mongo',
  alone: true,
  needs: 'servers',
  async run({ random, short, folder, print, wrong, count }) {
    const servers = await startServers({ folder: join(folder, 'servers'), only: ['mongodb'] });
    const server = servers.mongodb;
    const proxy = await Proxy.to(servers.env.MONGO_URL);
    const url = `${proxy.url.replace('http:', 'mongodb:')}/fault`;
    const watch = new Watch(wrong, { short });
    const load = await Load.begin({ url, random, watch });
    for (const name of short ? Object.keys(BREAKS).filter((each) => each !== 'cut off') : ORDER) {
      await pause(short ? 700 : 2_000);
      await BREAKS[name]({ server, proxy, random, short });
      print(`${name}: back ${Math.round(await watch.back(KINDS))} ms after`);
    }
    count('documents compared', await load.end(wrong));
    print(`${watch.calls} calls, ${watch.unavailable} failed, the longest took ${Math.round(watch.longest)} ms`);
    count('calls', watch.calls);
    const halves = await halfSaved({ server, url: `${servers.env.MONGO_URL}half`, rounds: short ? 1 : 5, random, wrong });
    print(`interrupted batches: ${halves.join(', ')} of ${HALF.documents} documents were stored`);
    await load.close();
    proxy.close();
    await servers.stop();
  },
};

/** Two projectors and eight vault workers on the connections of four processes. */
class Load {
  static async begin({ url, random, watch }) {
    const load = new Load();
    load.processes = await Promise.all(Array.from({ length: 4 }, () => open(url)));
    load.log = new SmallLog(between(random, 1, 1_000));
    load.ledger = new VaultLedger();
    const [{ vault }] = load.processes;
    for (const id of ['c1', 'c2', 'c3', 'c4']) await vault.put('counters', id, { kind: 'counter', count: 0 });
    let isOver = false;
    let until = Infinity;
    const of = (index) => load.processes[index % load.processes.length];
    const { log, ledger } = load;
    load.projecting = [0, 1].map((index) => project({ documents: of(index).documents, log, watch, random: seeded(index), until: () => until }));
    const worker = (_, index) => useVault({ vault: of(index).vault, watch, ledger, random: seeded(index), name: `w${index}`, isOver: () => isOver });
    load.working = Array.from({ length: 8 }, worker);
    load.stop = async () => {
      isOver = true;
      await Promise.all(load.working);
      const checkpoints = load.processes.slice(0, 2).map(({ documents }) => atLast(() => documents.checkpoint('songs_v1_g1')));
      until = Math.max(...(await Promise.all(checkpoints))) + 500;
      await Promise.all(load.projecting);
      return until;
    };
    return load;
  }

  /** Waits for the load to finish and compares. */
  async end(wrong) {
    const until = await this.stop();
    const [{ documents, vault }] = this.processes;
    const compared = await compareDocuments({ documents, log: this.log, until, wrong });
    return compared + (await compareVault({ vault, ledger: this.ledger, wrong }));
  }

  async close() {
    await Promise.all(this.processes.map(({ connection }) => connection.close()));
  }
}

/** Kills the server during a large batch, then saves it again. */
async function halfSaved({ server, url, rounds, random, wrong }) {
  const halves = [];
  for (let round = 1; round <= rounds; round += 1) {
    const { connection, documents } = await open(url);
    await documents.declare({ name: HALF.collection, indexes: [{ field: 'projectId' }] });
    const writes = Array.from({ length: HALF.documents }, (_, index) => ({
      collection: HALF.collection,
      id: `d${index}`,
      position: round,
      body: { projectId: `p${index % 9}`, round, text: 'la '.repeat(100) },
    }));
    const save = () => documents.save({ projector: HALF.collection, checkpoint: round, writes });
    const saved = save().then(
      () => true,
      () => false,
    );
    await pause(between(random, 50, 600));
    await server.kill();
    const isSaved = await saved;
    await server.start();
    const stood = async () => (await documents.load(writes)).filter(({ position }) => position === round).length;
    await atLast(() => documents.checkpoint(HALF.collection));
    const [before, checkpoint] = [await atLast(stood), await atLast(() => documents.checkpoint(HALF.collection))];
    if ((isSaved || checkpoint === round) && before < writes.length)
      wrong(`the checkpoint is ${checkpoint}, but ${before} of ${writes.length} documents are stored`);
    await atLast(save);
    const bodies = await atLast(() => documents.load(writes));
    if (bodies.some(({ body }, index) => body?.round !== round || body.projectId !== writes[index].body.projectId))
      wrong('the batch is incomplete after saving it again');
    halves.push(before);
    await connection.close();
  }
  return halves;
}
