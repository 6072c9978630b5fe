import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { StoredEvent } from '../../kernel/event.js';
import { type Projector, projector, put, remove, removeWhere, update } from '../../kernel/projector.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { storedEvent } from '../../testing/stored-event.js';
import type { DocumentBatch, DocumentStore } from '../documents/documents.js';
import { endlessTerm } from '../leases/lease.js';
import { applyBatch } from './projection-batch.js';
import { type Generation, Generations, physicalName } from './projection-generations.js';

interface Events {
  Joined: { readonly room: string; readonly uid: string };
  Left: { readonly room: string; readonly uid: string };
  Muted: { readonly uid: string };
  Said: { readonly room: string };
  Recounted: { readonly room: string };
  Closed: { readonly room: string };
}

const seat = (room: string, uid: string): string => `${room}/${uid}`;

/** Notifies every member of a room of its messages: members join, change and leave, and closing a room clears it. */
const notices = projector<Events>(
  {
    name: 'notices',
    version: 1,
    collections: [
      { name: 'seats', indexes: [{ field: 'room' }, { field: 'uid' }] },
      { name: 'notices', indexes: [{ field: 'room' }] },
    ],
  },
  {
    Joined: ({ data: { room, uid } }) => [put('seats', seat(room, uid), { room, uid, isMuted: false })],
    Left: ({ data: { room, uid } }) => [remove('seats', seat(room, uid))],
    Muted: {
      reads: ({ data: { uid } }) => [{ collection: 'seats', where: { field: 'uid', value: uid } }],
      project: (_event, [seats = []]) => seats.map(({ id }) => update('seats', id, (old) => ({ ...old, isMuted: true }))),
    },
    Said: {
      reads: ({ data: { room } }) => [
        { collection: 'seats', where: { field: 'room', value: room } },
        { collection: 'notices', id: `count of ${room}` },
      ],
      project: ({ id, data: { room } }, [seats = [], count = []]) => [
        ...seats.filter(({ body }) => body['isMuted'] !== true).map(({ body }) => put('notices', `${id}-${String(body['uid'])}`, { room, of: seats.length })),
        ...(count.length === 0 ? [] : [update<{ said: number }>('notices', `count of ${room}`, (old) => ({ ...old, said: old.said + seats.length }))]),
      ],
    },
    Recounted: {
      reads: ({ data: { room } }) => [{ collection: 'notices', where: { field: 'room', value: room } }],
      project: ({ data: { room } }, [all = []]) => [put('notices', `count of ${room}`, { room, said: 0, recounted: all.length })],
    },
    Closed: removeWhere('notices', 'room', ({ data }) => data.room),
  },
);

const ROOMS = ['a', 'b', 'c'];
const UIDS = Array.from({ length: 9 }, (_, at) => `u${at}`);

/** Random numbers from 0 to 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const oneOf = <Value>(random: () => number, values: readonly Value[]): Value => {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('there is nothing to choose from');
  return value;
};

function someEvents(random: () => number, many: number): readonly StoredEvent[] {
  return Array.from({ length: many }, (_, at) => {
    const [room, uid, kind] = [oneOf(random, ROOMS), oneOf(random, UIDS), random()];
    const made =
      kind < 0.35
        ? ({ type: 'Joined', data: { room, uid } } as const)
        : kind < 0.45
          ? ({ type: 'Left', data: { room, uid } } as const)
          : kind < 0.5
            ? ({ type: 'Muted', data: { uid } } as const)
            : kind < 0.9
              ? ({ type: 'Said', data: { room } } as const)
              : kind < 0.96
                ? ({ type: 'Recounted', data: { room } } as const)
                : ({ type: 'Closed', data: { room } } as const);
    return { ...storedEvent(made, { stream: `room-${room}`, revision: at, position: at + 1 }), id: `e${at + 1}` };
  });
}

let testStores: TestStores;
beforeEach(async () => {
  testStores = await openTestStores();
});
afterEach(() => testStores.close());

class Killed extends Error {}

/** Documents as a process sees that is killed at a call that writes, counted from 0; `savesAtomically` false: as in MongoDB, documents come one by one, then the checkpoint. */
function doomed(real: DocumentStore, killAt: number, savesAtomically: boolean): DocumentStore {
  let calls = 0;
  const step = (): void => {
    if (calls === killAt) throw new Killed('killed');
    calls += 1;
  };
  const save = async (batch: DocumentBatch): Promise<void> => {
    const checkpoint = await real.checkpoint(batch.projector);
    for (const write of savesAtomically ? [] : batch.writes) {
      step();
      await real.save({ projector: batch.projector, checkpoint, writes: [write] });
    }
    step();
    await real.save(batch);
  };
  return new Proxy(real, {
    get(store, member) {
      if (member === 'savesAtomically') return savesAtomically;
      if (member === 'save') return save;
      const value: unknown = Reflect.get(store, member, store);
      if (member === 'setFact') {
        return async (name: string, text: string) => {
          step();
          await store.setFact(name, text);
        };
      }
      return typeof value === 'function' ? (value.bind(store) as unknown) : value;
    },
  });
}

const log = {
  info: () => undefined,
  error: (facts: object): never => {
    throw new Error('nothing may be parked', { cause: facts });
  },
};

/** The generation that a process starts with, in any state that the one before left. */
async function resumed(documents: DocumentStore, subject: Projector): Promise<Generation> {
  const generations = await Generations.open(documents, endlessTerm());
  const { building } = generations.of(subject.name);
  return building === null ? generations.begin(subject) : generations.resume(subject, building);
}

const behind = (events: readonly StoredEvent[], checkpoint: number) => events.filter(({ position }) => position > checkpoint).map((event) => ({ event }));

async function everything(documents: DocumentStore, subject: Projector) {
  const all = await Promise.all(
    subject.collections.flatMap(({ name }) =>
      ROOMS.map((room) => documents.matches(physicalName(name, subject.version, 1), { where: { field: 'room', value: room }, limit: 1_000 })),
    ),
  );
  return all.flat();
}

describe.each([1, 2, 3, 4, 5, 6])('events in a random order (%i), projected with reads', (seed) => {
  test.each([true, false])(
    'build the same documents as one event at a time, regardless of batch sizes, kills and repeated deliveries (atomic saves: %s)',
    async (savesAtomically) => {
      const random = seeded(seed);
      const events = someEvents(random, 120);
      const plain = await testStores.otherDocuments('plain.db');
      const generation = await resumed(plain, notices);
      for (const event of events) await applyBatch({ generation, events: [{ event }], documents: plain, log });

      const rough = await testStores.otherDocuments('rough.db');
      let kills = 0;
      for (let reached = 0; reached < events.length;) {
        // Ever later, so every batch is saved in the end.
        const documents = doomed(rough, Math.floor(random() * (30 + 10 * kills)), savesAtomically);
        const chunkSize = 1 + Math.floor(random() * 5);
        try {
          const mine = await resumed(documents, notices);
          for (;;) {
            const before = mine.checkpoint;
            const batch = behind(events, before).slice(0, 1 + Math.floor(random() * 12));
            if (batch.length === 0) break;
            await applyBatch({ generation: mine, events: batch, documents, log, chunkSize });
            // The same batch once more, as if its checkpoint had been lost.
            if (random() < 0.2) await applyBatch({ generation: Object.assign(mine, { checkpoint: before }), events: batch, documents, log, chunkSize });
          }
          reached = mine.checkpoint;
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
          kills += 1;
        }
      }
      expect(kills).toBeGreaterThan(0);
      expect(await everything(rough, notices)).toEqual(await everything(plain, notices));
      expect((await everything(plain, notices)).length).toBeGreaterThan(10);
    },
  );
});

test('a rebuild gives the same documents in one batch as event by event', async () => {
  const events = someEvents(seeded(77), 600);
  const [one, other] = [await testStores.otherDocuments('one.db'), await testStores.otherDocuments('other.db')];
  await applyBatch({ generation: await resumed(one, notices), events: behind(events, 0), documents: one, log, chunkSize: Infinity });
  const generation = await resumed(other, notices);
  for (const event of events) await applyBatch({ generation, events: [{ event }], documents: other, log });
  expect(await everything(one, notices)).toEqual(await everything(other, notices));
});

test('no plan is left once its batch is saved', async () => {
  const join = UIDS.map((uid, at) => storedEvent({ type: 'Joined', data: { room: 'a', uid } }, { stream: 'room-a', revision: at, position: at + 1 }));
  const said = storedEvent({ type: 'Said', data: { room: 'a' } }, { stream: 'room-a', revision: 9, position: 10 });
  const generation = await resumed(testStores.documents, notices);
  await applyBatch({ generation, events: behind([...join, said], 0), documents: testStores.documents, log, chunkSize: 2 });
  expect(await Promise.all(['', ' part 0', ' part 1'].map((part) => testStores.documents.fact(`plan ${generation.key}${part}`)))).toEqual(['', '', '']);
});

test('an undeclared read parks the stream and writes nothing', async () => {
  const nosy = projector<Pick<Events, 'Said'>>(
    { name: 'nosy', version: 1, collections: [{ name: 'seats', indexes: [] }] },
    { Said: { reads: () => [{ collection: 'seats', where: { field: 'room', value: 'a' } }], project: () => [put('seats', 'x', {})] } },
  );
  const generation = await resumed(testStores.documents, nosy);
  const event = storedEvent({ type: 'Said', data: { room: 'a' } }, { stream: 'room-a', revision: 0, position: 1 });
  await applyBatch({ generation, events: [{ event }], documents: testStores.documents, log: testStores.log });
  expect([...generation.parked.values()]).toEqual([{ stream: 'room-a', position: 1, type: 'Said', reason: 'projection' }]);
  expect(await testStores.documents.get(physicalName('seats', 1, 1), 'x')).toBeNull();
});
