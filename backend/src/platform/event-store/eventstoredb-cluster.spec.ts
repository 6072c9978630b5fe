import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { NewEvent } from '../../kernel/event.js';
import { ServiceUnavailable } from '../store-errors.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';

/** The test double as a cluster; a real one has no switches. */
const url = process.env['EVENTSTORE_CLUSTER_URL'] ?? '';
const control = process.env['EVENTSTORE_CLUSTER_CONTROL_URL'] ?? '';
const KNOWN = 20;
/** Two seconds after a node leads, plus an allowance for a busy machine. */
const BACK_MS = 2_000 + 3_000;
/** The longest deadline of a call, with the same allowance. */
const ANSWER_MS = 6_000 + 3_000;

interface Node {
  readonly n: number;
  readonly port: number;
  readonly state: string;
  readonly isDown: boolean;
  readonly isSilent: boolean;
  readonly isCut: boolean;
}

/** Faults of the leader, after which the others elect soon, and how they end. */
const FAULTS = [
  ['killed', 'kill-node?elect=700', 'start-node?elect=0'],
  ['frozen', 'freeze-node?elect=1500', 'thaw-node?elect=0'],
  ['cut off', 'cut-node?resign=800&elect=1500', 'join-node?elect=0'],
  ['deposed', 'elect?', 'elect?'],
] as const;

(url === '' || control === '' ? describe.skip : describe)('on EVENTSTORE_CLUSTER_URL, with the switches of EVENTSTORE_CLUSTER_CONTROL_URL', () => {
  let store: EventStoreDbEventStore;
  let troubles: string[];
  let stream: string;
  beforeEach(async () => {
    troubles = [];
    store = await EventStoreDbEventStore.open({ url, onTrouble: (message) => troubles.push(message) });
    stream = aStream();
    await store.append(stream, 'none', Array.from({ length: KNOWN }, anEvent));
  });
  afterEach(() => store.close());

  test.each(FAULTS)('while the leader is %s, appends settle and reads are whole, and all work soon after another leads', async (_, broken, repaired) => {
    const old = await leader();
    const after = await store.head();
    const seen: string[] = [];
    const stop = new AbortController();
    const followed = follow(store, { after, seen, signal: stop.signal });
    let isBack = false;
    const reading = readMeanwhile(store, stream, () => isBack);
    const streams = Array.from({ length: 8 }, aStream);
    const writing = Promise.all(streams.map((each) => writeMeanwhile(store, each, () => isBack)));
    // Deposed: by the next node.
    await turn(broken.endsWith('?') ? `${broken}n=${(old.n % 3) + 1}` : `${broken}&n=${old.n}`);
    await untilAnotherLeads(old);
    await worksSoon(store);
    isBack = true;
    const [acknowledged, reads] = [(await writing).flat(), await reading];
    if (!broken.endsWith('?')) await turn(`${repaired}&n=${old.n}`);
    expect(reads.filter((found) => found !== KNOWN)).toEqual([]);
    const stored = (await Promise.all(streams.map((each) => store.readStream(each)))).flat();
    expect(acknowledged.filter((id) => stored.filter((event) => event.id === id).length !== 1)).toEqual([]);
    const log = await idsAfter(store, after);
    while (seen.length < log.length) await pause(10);
    stop.abort();
    await followed;
    expect(seen).toEqual(log);
    expect(troubles.filter((message) => message.startsWith('EventStoreDB is led by'))).toHaveLength(1);
  });
});

async function nodes(): Promise<readonly Node[]> {
  const state = (await (await fetch(control)).json()) as { readonly nodes: readonly Node[] };
  return state.nodes;
}

const leads = ({ state, isDown, isSilent, isCut }: Node): boolean => state === 'leader' && !isDown && !isSilent && !isCut;

/** The node that leads, once there is one. */
async function leader(): Promise<Node> {
  for (;;) {
    const found = (await nodes()).find(leads);
    if (found !== undefined) return found;
    await pause(20);
  }
}

async function untilAnotherLeads(old: Node): Promise<void> {
  while ((await leader()).n === old.n) await pause(20);
}

async function turn(asked: string): Promise<void> {
  const answer = await fetch(`${control}/${asked}`, { method: 'POST' });
  if (!answer.ok) throw new Error(`${asked}: ${answer.status}`);
}

/** Appends until `isOver` says so. @returns the ids of the acknowledged events */
async function writeMeanwhile(store: EventStoreDbEventStore, stream: string, isOver: () => boolean): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  for (let revision = -1; !isOver();) {
    const event = anEvent();
    const appended = await answered(store.append(stream, revision === -1 ? 'none' : revision, [event]));
    if (appended === null) revision = ((await answered(store.readStream(stream)))?.length ?? revision + 1) - 1;
    else {
      acknowledged.push(event.id);
      ({ revision } = appended);
    }
  }
  return acknowledged;
}

/** Reads a stream until `isOver` says so. @returns how many events each answered read found */
async function readMeanwhile(store: EventStoreDbEventStore, stream: string, isOver: () => boolean): Promise<readonly number[]> {
  const found: number[] = [];
  while (!isOver()) {
    const page = await answered(store.readStream(stream));
    if (page !== null) found.push(page.length);
    await pause(5);
  }
  return found;
}

/** Null if the store is unavailable, within its deadline. @throws every other error */
async function answered<Value>(work: Promise<Value>): Promise<Value | null> {
  const began = performance.now();
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceUnavailable) return null;
    throw error;
  } finally {
    expect(performance.now() - began).toBeLessThan(ANSWER_MS);
  }
}

async function worksSoon(store: EventStoreDbEventStore): Promise<void> {
  const began = performance.now();
  while ((await answered(store.append(aStream(), 'none', [anEvent()]))) === null);
  while ((await answered(store.head())) === null);
  expect(performance.now() - began).toBeLessThan(BACK_MS);
}

/** Collects the ids of the events after a position. */
async function follow(
  store: EventStoreDbEventStore,
  { after, seen, signal }: { readonly after: number; readonly seen: string[]; readonly signal: AbortSignal },
): Promise<void> {
  for (let position = after; !signal.aborted;) {
    try {
      for await (const page of store.subscribe({ after: position, signal })) {
        seen.push(...page.map(({ id }) => id));
        position = page.at(-1)?.position ?? position;
      }
    } catch (error) {
      if (!(error instanceof ServiceUnavailable)) throw error;
    }
  }
}

/** The ids of all events after a position. */
async function idsAfter(store: EventStoreDbEventStore, after: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let position = after; ;) {
    const page = await store.readAll({ after: position });
    ids.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (last === undefined) return ids;
    ({ position } = last);
  }
}

const aStream = (): string => `cluster-${randomUUID()}`;

function anEvent(): NewEvent {
  const meta = { actorUid: null, at: 1_700_000_000_000, commandId: randomUUID(), correlationId: randomUUID(), causationId: null };
  return { id: randomUUID(), type: 'FaultMet', data: {}, meta };
}
