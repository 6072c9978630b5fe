// The load of several processes on one EventStoreDB log, each with its own connection, and the checks afterwards.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreDbEventStore } from '../../../backend/dist/platform/event-store/eventstoredb-event-store.js';
import { WrongExpectedRevision } from '../../../backend/dist/platform/event-store/event-store.js';
import { ServiceUnavailable } from '../../../backend/dist/platform/store-errors.js';
import { between, seeded } from './seeded.mjs';
import { readServersLog } from './servers-log.mjs';

/**
 * An append times out after 6 s and a read after 5 s, and everything recovers within 5 s. A busy machine gets a small allowance, and the short form, which
 * the gate runs on shared machines, a larger one.
 */
const allowed = (short) => (short ? { answerMs: 9_000, backMs: 8_000 } : { answerMs: 7_500, backMs: 5_000 });
/** How long to wait for recovery, even if it is too late. */
const PATIENCE_MS = 30_000;
/** How long followers may take to reach the end of the log, once nobody writes. */
const SEEN_MS = 30_000;
/** What the load consists of. */
const KINDS = ['append', 'append ahead', 'read', 'follow'];
const SHARED = ['fault-shared1', 'fault-shared2'];

/** The outcome of every attempted append. */
export class Ledger {
  calls = 0;
  unavailable = 0;
  longest = 0;
  acknowledged = new Map();
  unknown = new Set();
  refused = new Set();
  #worked = new Map();

  /** @param options `backMs`: how long recovery may take, if not as long as after a fault of the server */
  constructor(wrong, { short, ...options }) {
    Object.assign(this, { wrong, ...allowed(short), ...options });
  }

  /** Makes a call. @returns null if the store is unavailable or a concurrent write won */
  async call(kind, work, { onUnavailable = () => undefined, onConflict } = {}) {
    const began = performance.now();
    this.calls += 1;
    try {
      const answer = await work();
      this.worked(kind, began);
      return answer;
    } catch (error) {
      if (error instanceof ServiceUnavailable) onUnavailable(((this.unavailable += 1), error));
      else if (error instanceof WrongExpectedRevision && onConflict) onConflict(this.worked(kind, began));
      else this.wrong(`${kind} failed with ${error.stack}`);
      return null;
    } finally {
      const took = performance.now() - began;
      this.longest = Math.max(this.longest, took);
      if (took > this.answerMs) this.wrong(`${kind} was answered after ${Math.round(took)} ms`);
    }
  }

  worked(kind, began) {
    this.#worked.set(kind, Math.max(began, this.#worked.get(kind) ?? 0));
  }

  /** Waits until one call of every kind has started and succeeded. @returns the milliseconds it took */
  async back() {
    const from = performance.now();
    const missing = () => KINDS.filter((kind) => (this.#worked.get(kind) ?? 0) < from);
    while (missing().length > 0 && performance.now() - from < PATIENCE_MS) await pause(10);
    const took = performance.now() - from;
    if (took > this.backMs) this.wrong(`recovered only after ${Math.round(took)} ms: ${missing().join(', ')}`);
    return took;
  }

  /** Appends events and records their outcome. */
  async append(store, kind, { stream, expected, events }) {
    const note = (set) => () => events.forEach(({ id }) => set.add(id));
    const appended = await this.call(kind, () => store.append(stream, expected, events), {
      onUnavailable: note(this.unknown),
      onConflict: note(this.refused),
    });
    if (appended === null) return null;
    const first = appended.revision - events.length + 1;
    events.forEach(({ id }, at) => this.acknowledged.set(id, { stream, revision: first + at, position: at === events.length - 1 ? appended.position : null }));
    return appended;
  }
}

const someEvents = (random, data) =>
  Array.from({ length: between(random, 1, 4) }, (_, at) => ({
    id: randomUUID(),
    type: 'FaultMet',
    data: { ...data, at },
    meta: { actorUid: null, at: 0, commandId: randomUUID(), correlationId: randomUUID(), causationId: null },
  }));

/** Reads the end of a stream and appends to it, as a command does, until told to stop. */
async function writeExpecting({ store, ledger, random, isOver }) {
  const known = new Map(SHARED.map((stream) => [stream, -1]));
  while (!isOver()) {
    const stream = SHARED[between(random, 0, SHARED.length - 1)];
    const read = await ledger.call('read', () => store.readStream(stream, { from: known.get(stream) + 1 }));
    if (read === null) continue;
    const revision = known.get(stream) + read.length;
    known.set(stream, revision);
    await ledger.append(store, 'append', { stream, expected: revision === -1 ? 'none' : revision, events: someEvents(random, {}) });
    await pause(between(random, 0, 8));
  }
}

/** Makes several dependent appends at once to its own stream, until told to stop. */
async function writeAhead({ store, ledger, random, isOver, name }) {
  const stream = `fault-own-${name}`;
  for (let [n, end] = [0, -1]; !isOver();) {
    const read = await ledger.call('read', () => store.readStream(stream, { from: end + 1 }));
    if (read === null) continue;
    end += read.length;
    let next = end;
    const appends = Array.from({ length: between(random, 1, 5) }, () => {
      const [expected, events] = [next === -1 ? 'none' : next, someEvents(random, { n: (n += 1) })];
      next += events.length;
      return ledger.append(store, 'append ahead', { stream, expected, events });
    });
    await Promise.all(appends);
    await pause(between(random, 5, 20));
  }
}

/** Follows the log as a projector does, resuming where it stopped, until told to stop. */
async function followLog({ store, ledger, seen, signal }) {
  while (!signal.aborted) {
    try {
      for await (const page of store.subscribe({ after: seen.at(-1)?.position ?? 0, signal })) {
        ledger.worked('follow', performance.now());
        for (const { id, position } of page) seen.push({ id, position });
      }
    } catch (error) {
      if (!(error instanceof ServiceUnavailable)) ledger.wrong(`following failed with ${error.stack}`);
      await pause(100);
    }
  }
}

/** Compares a log, read without the program, with the recorded outcomes. */
function compareLog({ events, ledger, wrong }) {
  const [found, next, numbers] = [new Map(), new Map(), new Map()];
  for (const event of events) {
    if (found.has(event.id)) wrong(`${event.id} is in the log twice, in ${event.stream}`);
    found.set(event.id, event);
    const expected = next.get(event.stream) ?? 0;
    if (event.revision !== expected) wrong(`${event.stream} continues at revision ${event.revision}, not ${expected}`);
    next.set(event.stream, event.revision + 1);
    if (!event.stream.startsWith('fault-own-')) continue;
    const number = event.data.n * 10 + event.data.at;
    if (number <= (numbers.get(event.stream) ?? 0)) wrong(`${event.stream} is not in the order in which it was written: ${number}`);
    numbers.set(event.stream, number);
  }
  for (const [id, { stream, revision, position }] of ledger.acknowledged) {
    const event = found.get(id);
    if (event === undefined) wrong(`acknowledged at revision ${revision} of ${stream} and lost`);
    else if (event.stream !== stream || event.revision !== revision || (position !== null && event.position !== position))
      wrong(`acknowledged at revision ${revision} of ${stream}, position ${position}; it is stored at ${event.revision} of ${event.stream}, ${event.position}`);
  }
  for (const id of ledger.refused) if (found.has(id)) wrong(`refused with a conflict but stored in ${found.get(id).stream}`);
  for (const { id, stream } of events) if (!ledger.acknowledged.has(id) && !ledger.unknown.has(id)) wrong(`an event in ${stream} was never appended by anyone`);
}

/** Checks that each follower saw each event once and in order. */
function compareSeen({ events, seen, wrong }) {
  const at = seen.findIndex(({ id }, index) => id !== events[index]?.id);
  if (at >= 0) wrong(`a follower saw position ${seen[at].position} as its event ${at + 1}, where the log has ${events[at]?.position}`);
  else if (seen.length !== events.length) wrong(`a follower saw ${seen.length} of ${events.length} events`);
}

/** Five writers and two followers on the connections of three processes. */
export class Load {
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

  /** Ends it, and compares the log and what its followers saw with what was acknowledged. */
  async compare(env, { ledger, print, wrong, count }) {
    const events = await this.end(env);
    compareLog({ events, ledger, wrong });
    for (const seen of this.seen) compareSeen({ events, seen, wrong });
    print(`${ledger.calls} calls, ${ledger.unavailable} failed, ${ledger.refused.size} events refused, the longest call took ${Math.round(ledger.longest)} ms`);
    count('events', events.length);
    count('calls', ledger.calls);
    await Promise.all(this.stores.map((store) => store.close()));
  }
}
