// The load of several processes on one MongoDB, each with its own connection, and the checks afterwards.
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoDocumentStore } from '../../../backend/dist/platform/documents/mongo-document-store.js';
import { MongoConnection } from '../../../backend/dist/platform/mongo/mongo-connection.js';
import { ServiceUnavailable } from '../../../backend/dist/platform/store-errors.js';
import { MongoVault } from '../../../backend/dist/platform/vault/mongo-vault.js';
import { between, oneOf, seeded } from './seeded.mjs';

/**
 * A call times out after 3 s, and everything recovers within 5 s. A busy machine gets a small allowance, and the short form, which the gate runs on shared
 * machines, a larger one.
 */
const allowed = (short) => (short ? { answerMs: 5_500, backMs: 8_000 } : { answerMs: 4_000, backMs: 5_000 });
/** How long to wait for recovery, even if it is too late. */
const PATIENCE_MS = 40_000;
const COLLECTIONS = ['songs_v1_g1', 'marks_v1_g1'];
const PROJECTOR = 'songs_v1_g1';
const DOCUMENTS = 60;

/** Pause after ServiceUnavailable, because immediate failures in a loop would starve this process. */
const UNAVAILABLE_MS = 5;

/** Counts and times calls, and remembers when each kind last succeeded. */
export class Watch {
  calls = 0;
  unavailable = 0;
  longest = 0;
  #worked = new Map();

  constructor(wrong, { short }) {
    Object.assign(this, { wrong, ...allowed(short) });
  }

  /** Makes a call. @returns null if the store is unavailable */
  async call(kind, work) {
    const began = performance.now();
    this.calls += 1;
    try {
      const answer = await work();
      this.#worked.set(kind, Math.max(began, this.#worked.get(kind) ?? 0));
      return { answer };
    } catch (error) {
      if (error instanceof ServiceUnavailable) this.unavailable += 1;
      else this.wrong(`${kind} failed with ${error.stack}`);
    } finally {
      const took = performance.now() - began;
      this.longest = Math.max(this.longest, took);
      if (took > this.answerMs) this.wrong(`${kind} was answered after ${Math.round(took)} ms`);
    }
    await pause(UNAVAILABLE_MS);
    return null;
  }

  /** The time from now until one call of every kind has started and succeeded. */
  async back(kinds) {
    const from = performance.now();
    const missing = () => kinds.filter((kind) => (this.#worked.get(kind) ?? 0) < from);
    while (missing().length > 0 && performance.now() - from < PATIENCE_MS) await pause(10);
    const took = performance.now() - from;
    if (took > this.backMs) this.wrong(`recovered only after ${Math.round(took)} ms: ${missing().join(', ')}`);
    return took;
  }
}

/** Retries until success. Each silent connection costs one timeout and is then closed. */
export async function atLast(work) {
  for (const limit = performance.now() + PATIENCE_MS; ; await pause(50)) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > limit) throw error;
    }
  }
}

/** The stores of one process. */
export async function open(url) {
  const connection = await MongoConnection.open({ url });
  const documents = await MongoDocumentStore.open({ connection });
  const vault = await MongoVault.open({ connection });
  await Promise.all(COLLECTIONS.map((name) => documents.declare({ name, indexes: [{ field: 'projectId', sort: 'seen' }, { field: 'tags' }] })));
  await vault.declare({ name: 'counters', indexes: ['kind'] });
  await vault.declare({ name: 'slots', indexes: ['by'] });
  return { connection, documents, vault };
}

/** A deterministic log: an event's changes to documents follow from the seed and its position. */
export class SmallLog {
  #seed;

  constructor(seed) {
    this.#seed = seed;
  }

  changes(position) {
    const random = seeded(this.#seed * 1_000_003 + position);
    const ids = new Set(Array.from({ length: between(random, 1, 3) }, () => between(random, 1, DOCUMENTS)));
    return [...ids].map((id) => ({
      collection: oneOf(random, COLLECTIONS),
      id: `d${id}`,
      isRemoval: random() < 0.1,
      text: 'la '.repeat(between(random, 1, 300)),
    }));
  }

  /** Applies an event to documents as a projector does, skipping those already past it. */
  apply(position, documents) {
    for (const { collection, id, isRemoval, text } of this.changes(position)) {
      const key = `${collection}/${id}`;
      const { body, position: seen } = documents.get(key) ?? { body: null, position: 0 };
      if (seen >= position) continue;
      const next = { projectId: `p${position % 7}`, seen: position, count: (body?.count ?? 0) + 1, tags: [`t${position % 3}`, 'all'], text };
      documents.set(key, { body: isRemoval ? null : next, position });
    }
  }

  /** Every document after `until` events. */
  fold(until) {
    const documents = new Map();
    for (let position = 1; position <= until; position += 1) this.apply(position, documents);
    return documents;
  }
}

/** Projects the log: loads, applies, saves, and repeats a batch after ServiceUnavailable. */
export async function project({ documents, log, watch, random, until }) {
  let checkpoint = null;
  while (checkpoint === null) checkpoint = (await watch.call('checkpoint', () => documents.checkpoint(PROJECTOR)))?.answer ?? null;
  while (checkpoint < until()) {
    const last = Math.min(checkpoint + between(random, 5, 40), until());
    if (!(await batch({ documents, log, watch, from: checkpoint + 1, last }))) continue;
    checkpoint = last;
    await pause(between(random, 0, 5));
  }
  return checkpoint;
}

async function batch({ documents, log, watch, from, last }) {
  const held = new Map();
  const positions = Array.from({ length: last - from + 1 }, (_, index) => from + index);
  for (const position of positions) for (const { collection, id } of log.changes(position)) held.set(`${collection}/${id}`, { collection, id });
  const keys = [...held.values()];
  const loaded = await watch.call('load', () => documents.load(keys));
  if (loaded === null) return false;
  const before = loaded.answer;
  const state = new Map(keys.map(({ collection, id }, index) => [`${collection}/${id}`, before[index]]));
  for (const position of positions) log.apply(position, state);
  const writes = keys
    .map((key, index) => ({ ...key, ...state.get(`${key.collection}/${key.id}`), before: before[index].position }))
    .filter(({ position, before: seen }) => position > seen)
    .map(({ collection, id, body, position }) => ({ collection, id, body, position }));
  return (await watch.call('save', () => documents.save({ projector: PROJECTOR, checkpoint: last, writes }))) !== null;
}

/** Compares every document, the searches and the checkpoint with the fold. */
export async function compareDocuments({ documents, log, until, wrong }) {
  const expected = log.fold(until);
  const keys = COLLECTIONS.flatMap((collection) => Array.from({ length: DOCUMENTS }, (_, index) => ({ collection, id: `d${index + 1}` })));
  const stored = await atLast(() => documents.load(keys));
  keys.forEach(({ collection, id }, index) => {
    const wanted = expected.get(`${collection}/${id}`) ?? { body: null, position: 0 };
    if (!isDeepStrictEqual(stored[index], wanted)) wrong(`${collection}/${id} does not equal the fold: at ${stored[index].position}, not ${wanted.position}`);
  });
  for (const collection of COLLECTIONS) {
    const remaining = [...expected].filter(([key, { body }]) => key.startsWith(`${collection}/`) && body !== null);
    const found = await atLast(() => documents.find(collection, { where: { field: 'tags', value: 'all' }, limit: 1_000 }));
    if (found.length !== remaining.length) wrong(`${found.length} of ${remaining.length} documents of ${collection} are found`);
  }
  const checkpoint = await atLast(() => documents.checkpoint(PROJECTOR));
  if (checkpoint !== until) wrong(`the checkpoint is ${checkpoint}, not ${until}`);
  return keys.length;
}

/** Acknowledged vault writes: versions won, slots taken, values put. */
export class VaultLedger {
  wonFrom = new Map();
  unknown = new Map();
  slots = new Map();
  put = new Map();
  gone = new Set();
}

/** A worker on the vault, until told to stop. */
export async function useVault({ vault, watch, ledger, random, name, isOver }) {
  for (let round = 0; !isOver(); round += 1) {
    await countUp({ vault, watch, ledger, id: `c${between(random, 1, 4)}` });
    await takeSlot({ vault, watch, ledger, id: `s${round}`, name });
    await putNext({ vault, watch, ledger, id: `own-${name}`, round });
    if (round % 5 === 4) await takeAway({ vault, watch, ledger, id: `left-${name}-${round}` });
  }
}

async function countUp({ vault, watch, ledger, id }) {
  const read = (await watch.call('get', () => vault.get('counters', id)))?.answer ?? null;
  if (read === null) return;
  const replaced = await watch.call('replace', () => vault.replace('counters', id, read.version, { kind: 'counter', count: read.body.count + 1 }));
  if (replaced === null) ledger.unknown.set(id, (ledger.unknown.get(id) ?? 0) + 1);
  if (replaced?.answer !== true) return;
  const won = `${id} ${read.version}`;
  if (ledger.wonFrom.has(won)) watch.wrong(`two writers replaced version ${read.version} of ${id}`);
  ledger.wonFrom.set(won, id);
}

async function takeSlot({ vault, watch, ledger, id, name }) {
  const taken = await watch.call('insert', () => vault.insert('slots', id, { by: name }));
  if (taken?.answer !== true) return;
  if (ledger.slots.has(id)) watch.wrong(`${id} was taken by ${ledger.slots.get(id)} and by ${name}`);
  ledger.slots.set(id, name);
}

/** Only one worker writes this id, so it must never read less than its last acknowledged value. */
async function putNext({ vault, watch, ledger, id, round }) {
  if ((await watch.call('put', () => vault.put('counters', id, { kind: 'own', round }))) !== null) ledger.put.set(id, round);
  const read = await watch.call('get', () => vault.get('counters', id));
  if (read !== null && (read.answer?.body.round ?? -1) < (ledger.put.get(id) ?? -1)) watch.wrong(`${id} is older than what was acknowledged`);
}

async function takeAway({ vault, watch, ledger, id }) {
  if ((await watch.call('put', () => vault.put('counters', id, { kind: 'left' }))) === null) return;
  if ((await watch.call('remove', () => vault.remove('counters', id))) !== null) ledger.gone.add(id);
}

/** Compares the vault with the acknowledged writes. */
export async function compareVault({ vault, ledger, wrong }) {
  const read = (collection, id) => atLast(() => vault.get(collection, id));
  for (const id of ['c1', 'c2', 'c3', 'c4']) {
    const won = [...ledger.wonFrom.values()].filter((each) => each === id).length;
    const { count } = (await read('counters', id)).body;
    if (count < won || count > won + (ledger.unknown.get(id) ?? 0)) wrong(`${id} is ${count}; ${won} acknowledged, ${ledger.unknown.get(id) ?? 0} unknown`);
  }
  for (const [id, name] of ledger.slots) if ((await read('slots', id))?.body.by !== name) wrong(`${id} is not ${name}'s any more`);
  for (const [id, round] of ledger.put) if (((await read('counters', id))?.body.round ?? -1) < round) wrong(`${id} is older than what was acknowledged`);
  for (const id of ledger.gone) if ((await read('counters', id)) !== null) wrong(`${id} is back`);
  return ledger.wonFrom.size + ledger.slots.size + ledger.put.size + ledger.gone.size;
}
