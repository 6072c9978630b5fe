import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StoreAway } from '../store-errors.js';
import { type Document, type DocumentStore, type DocumentWrite, Fenced } from './documents.js';

/** A place of its own for one test: `open` again after closing finds what was there; `remove` clears it away. */
export interface DocumentStorePlace {
  readonly open: () => Promise<DocumentStore>;
  readonly remove: () => Promise<void>;
}

const REGIONS = {
  name: 'regions_v1',
  indexes: [{ field: 'projectId' }, { field: 'projectId', sort: 'start' }, { field: 'tags' }, { field: 'owner.uid', sort: 'name' }, { field: 'members.uid' }],
} as const;

const region = (id: string, position: number, body: Document | null): DocumentWrite => ({ collection: REGIONS.name, id, position, body });

/**
 * What every document store promises; each adapter's spec calls it with a fresh place per test. What several stores opened on one place promise together is
 * left out for an adapter that one process opens alone.
 */
export function documentStoreContract(name: string, fresh: () => Promise<DocumentStorePlace>, openedBy: 'one' | 'several'): void {
  describe(`${name} as a document store`, () => {
    let place: DocumentStorePlace;
    let store: DocumentStore;
    const ids = async (query: Parameters<DocumentStore['find']>[1]) => (await store.find(REGIONS.name, query)).map(({ _id }) => _id);
    const save = (checkpoint: number, ...writes: DocumentWrite[]) => store.save({ projector: 'regions', checkpoint, writes });
    const reopen = async () => {
      await store.close();
      store = await place.open();
      await store.declare(REGIONS);
    };

    beforeEach(async () => {
      place = await fresh();
      store = await place.open();
      await store.declare(REGIONS);
    });
    afterEach(async () => {
      await store.close();
      await place.remove();
    });

    test('what was saved comes back deeply equal, at once and after reopening, with the checkpoint', async () => {
      const body = { _id: 'r1', start: 1.25, nested: { list: [1, 'two', null, { three: true }], empty: {} }, text: 'ünï\u2028 "x" \u0000 🎸', none: null };
      await save(7, region('r1', 7, body));
      for (const again of [async () => undefined, reopen]) {
        await again();
        expect(await store.get(REGIONS.name, 'r1')).toEqual(body);
        expect(await store.checkpoint('regions')).toBe(7);
      }
    });

    test('a body comes back as JSON gives it back, whatever its keys, texts and numbers are', async () => {
      const text = `{"": 1, "$set": {"a.b": [[[]], [null, {"$ref": 1, "": "x"}]]}, "__proto__": {"x": 1}, "_bsontype": "Long", "%002e": "%", "nul\\u0000": 2,
        "half": "\\ud83c", "\\udfb8": "end", "mark": "\uffff\\u0000", "large": [9007199254740991, -9007199254740991, 2147483648, 1e300, 5e-324, 0.1], "true": true}`;
      const body = { ...(JSON.parse(text) as Document), projectId: 'p', zero: -0, missing: undefined, many: [undefined, Number.NaN] };
      await save(1, region('r1', 1, body));
      await reopen();
      const expected = JSON.stringify(body);
      expect(JSON.stringify(await store.get(REGIONS.name, 'r1'))).toBe(expected);
      const [found] = await store.find(REGIONS.name, { where: { field: 'projectId', value: 'p' } });
      expect(JSON.stringify(found)).toBe(expected);
    });

    test('a value is searched for as it is, also when it looks like a search of its own', async () => {
      const values = ['$gt', '\ud83c', '\uffff', '', '/a/'];
      await save(1, ...values.map((value, index) => region(`r${index}`, 1, { projectId: value, tags: [value, 'x'] })));
      for (const [index, value] of values.entries()) {
        expect(await store.find(REGIONS.name, { where: { field: 'projectId', value } })).toEqual([{ projectId: values[index], tags: [value, 'x'] }]);
        expect(await store.find(REGIONS.name, { where: { field: 'tags', value } })).toHaveLength(1);
      }
    });

    test('what is known without asking is what asking gives, also while it is written', async () => {
      const saved = { newest: 0 };
      const read = async (): Promise<void> => {
        while (saved.newest < 40) {
          const before = saved.newest;
          const [one, many] = [await store.get(REGIONS.name, 'r1'), (await store.getMany(REGIONS.name, ['r1', 'r2'])).get('r1')];
          for (const found of [one, many]) expect(Number(found?.['start'] ?? 0)).toBeGreaterThanOrEqual(before);
          const known = store.known(REGIONS.name, 'r1');
          const given = await store.get(REGIONS.name, 'r1');
          expect(known ?? given).toBe(given);
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const reading = [read(), read()];
      for (let at = 1; at <= 40; at += 1) {
        await save(at, region('r1', at, { start: at }), region('r2', at, { start: at }));
        saved.newest = at;
      }
      await Promise.all(reading);
      expect(await store.get(REGIONS.name, 'r1')).toEqual({ start: 40 });
      await save(41, region('r1', 41, null));
      expect(store.known(REGIONS.name, 'r1')).toBeUndefined();
      expect(await store.get(REGIONS.name, 'r1')).toBeNull();
      expect(store.known(REGIONS.name, 'r1') ?? null).toBeNull();
      await save(42, region('r1', 42, { start: 42 }));
      expect(await store.get(REGIONS.name, 'r1')).toEqual({ start: 42 });
      await store.get(REGIONS.name, 'r2');
      await store.drop(REGIONS.name, 'regions');
      expect(store.known(REGIONS.name, 'r2')).toBeUndefined();
    });

    test('what is not there is null, left out, or at position 0', async () => {
      await save(1, region('r1', 1, { _id: 'r1' }));
      expect(await store.get(REGIONS.name, 'r2')).toBeNull();
      expect(await store.getMany(REGIONS.name, ['r2', 'r1', 'r1'])).toEqual(new Map([['r1', { _id: 'r1' }]]));
      expect(await store.load([{ collection: REGIONS.name, id: 'r2' }])).toEqual([{ body: null, position: 0 }]);
      expect(await store.checkpoint('nobody')).toBe(0);
      expect(await store.fact('nothing')).toBeNull();
    });

    test('a write at an older or equal position changes nothing, so a batch may be delivered twice', async () => {
      await save(5, region('r1', 5, { _id: 'r1', projectId: 'new' }));
      await save(5, region('r1', 5, { _id: 'r1', projectId: 'same' }), region('r2', 4, { _id: 'r2', projectId: 'new' }));
      await save(5, region('r1', 3, { _id: 'r1', projectId: 'old' }), region('r1', 2, null));
      expect(await store.get(REGIONS.name, 'r1')).toEqual({ _id: 'r1', projectId: 'new' });
      expect(await ids({ where: { field: 'projectId', value: 'new' } })).toEqual(['r1', 'r2']);
      expect(await ids({ where: { field: 'projectId', value: 'old' } })).toEqual([]);
    });

    test('a removed document stays as a tombstone, which a late write does not bring back and a later one does', async () => {
      await save(2, region('r1', 2, { _id: 'r1', projectId: 'p' }));
      await save(4, region('r1', 4, null));
      await save(4, region('r1', 3, { _id: 'r1', projectId: 'p' }), region('never', 4, null));
      expect(await store.get(REGIONS.name, 'r1')).toBeNull();
      expect(await store.getMany(REGIONS.name, ['r1'])).toEqual(new Map());
      expect(await ids({ where: { field: 'projectId', value: 'p' } })).toEqual([]);
      const keys = ['r1', 'never'].map((id) => ({ collection: REGIONS.name, id }));
      expect(await store.load(keys)).toEqual([
        { body: null, position: 4 },
        { body: null, position: 4 },
      ]);
      await save(5, region('r1', 5, { _id: 'r1', projectId: 'p' }));
      expect(await ids({ where: { field: 'projectId', value: 'p' } })).toEqual(['r1']);
    });

    test('a document is found by the newest value of a declared field alone, each kind of value for itself', async () => {
      await save(
        1,
        region('r1', 1, { _id: 'r1', projectId: 'a' }),
        region('r2', 1, { _id: 'r2', projectId: 1 }),
        region('r3', 1, { _id: 'r3', projectId: true }),
        region('r4', 1, { _id: 'r4', projectId: '1' }),
      );
      await save(2, region('r1', 2, { _id: 'r1', projectId: 'b' }));
      expect(await ids({ where: { field: 'projectId', value: 'a' } })).toEqual([]);
      expect(await ids({ where: { field: 'projectId', value: 'b' } })).toEqual(['r1']);
      expect(await ids({ where: { field: 'projectId', value: 1 } })).toEqual(['r2']);
      expect(await ids({ where: { field: 'projectId', value: true } })).toEqual(['r3']);
      expect(await ids({ where: { field: 'projectId', value: '1' } })).toEqual(['r4']);
    });

    test('a field that holds a list is found by each of its members, also inside objects', async () => {
      await save(
        1,
        region('r1', 1, { _id: 'r1', tags: ['mix', 'loud', 'mix'], members: [{ uid: 'ana' }, { uid: 'bob' }] }),
        region('r2', 1, { _id: 'r2', tags: 'mix', members: [] }),
      );
      expect(await ids({ where: { field: 'tags', value: 'mix' } })).toEqual(['r1', 'r2']);
      expect(await ids({ where: { field: 'members.uid', value: 'bob' } })).toEqual(['r1']);
      await save(2, region('r1', 2, { _id: 'r1', tags: ['loud'], members: [{ uid: 'ana' }] }));
      expect(await ids({ where: { field: 'tags', value: 'mix' } })).toEqual(['r2']);
      expect(await ids({ where: { field: 'members.uid', value: 'bob' } })).toEqual([]);
    });

    test('a search is in id order, or by the declared sort with equals by id', async () => {
      const starts = { r5: 10, r1: 9.5, r4: 9.5, r2: -1, r3: undefined };
      await save(1, ...Object.entries(starts).map(([id, start]) => region(id, 1, { _id: id, projectId: 'p', start })));
      const where = { field: 'projectId', value: 'p' };
      expect(await ids({ where })).toEqual(['r1', 'r2', 'r3', 'r4', 'r5']);
      expect(await ids({ where, sort: 'ascending' })).toEqual(['r3', 'r2', 'r1', 'r4', 'r5']);
      expect(await ids({ where, sort: 'descending' })).toEqual(['r5', 'r4', 'r1', 'r2', 'r3']);
    });

    test('text is sorted by its octets, and an index with a sort serves searches without one', async () => {
      const names = { r1: 'b', r2: 'B', r3: 'é', r4: 'a' };
      await save(1, ...Object.entries(names).map(([id, value]) => region(id, 1, { _id: id, owner: { uid: 'ana' }, name: value })));
      const where = { field: 'owner.uid', value: 'ana' };
      expect(await ids({ where, sort: 'ascending' })).toEqual(['r2', 'r4', 'r1', 'r3']);
      expect(await ids({ where })).toEqual(['r1', 'r2', 'r3', 'r4']);
    });

    test('a page goes on behind the last document of the one before', async () => {
      const starts = [3, 1, 1, undefined, 2];
      await save(1, ...starts.map((start, index) => region(`r${index}`, 1, { _id: `r${index}`, projectId: 'p', start })));
      const where = { field: 'projectId', value: 'p' };
      expect(await ids({ where, limit: 2 })).toEqual(['r0', 'r1']);
      expect(await ids({ where, limit: 2, after: { id: 'r1' } })).toEqual(['r2', 'r3']);
      expect(await ids({ where, sort: 'ascending', limit: 2, after: { id: 'r3', sort: null } })).toEqual(['r1', 'r2']);
      expect(await ids({ where, sort: 'ascending', limit: 2, after: { id: 'r1', sort: 1 } })).toEqual(['r2', 'r4']);
      expect(await ids({ where, sort: 'descending', limit: 9, after: { id: 'r2', sort: 1 } })).toEqual(['r1', 'r3']);
    });

    test.each(['ascending', 'descending'] as const)('pages of a %s search go on through what has no value, numbers and text', async (sort) => {
      const starts = [null, undefined, -2, 0, 0, 1.5, 'A', 'B', 'B', 'a', ''];
      await save(1, ...starts.map((start, index) => region(`r${index}`, 1, { _id: `r${index}`, projectId: 'p', start })));
      const where = { field: 'projectId', value: 'p' };
      const inOrder = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r10', 'r6', 'r7', 'r8', 'r9'];
      const expected = sort === 'ascending' ? inOrder : inOrder.toReversed();
      expect(await ids({ where, sort })).toEqual(expected);
      for (const [at, id] of expected.entries()) {
        const after = { id, sort: starts[Number(id.slice(1))] ?? null };
        expect(await ids({ where, sort, after, limit: 3 })).toEqual(expected.slice(at + 1, at + 4));
      }
    });

    test('a batch of many documents, and of large ones, is saved and loaded as one', async () => {
      const many = Array.from({ length: 2_300 }, (_, index) => region(`r${index}`, 1, { projectId: `p${index % 2}` }));
      const large = Array.from({ length: 8 }, (_, index) => region(`large${index}`, 1, { text: 'é'.repeat(1_500_000), index }));
      await save(1, ...many, ...large);
      const keys = [...many, ...large].map(({ collection, id }) => ({ collection, id }));
      expect(await store.load(keys)).toEqual([...many, ...large].map(({ body, position }) => ({ body, position })));
      expect(
        (
          await store.getMany(
            REGIONS.name,
            [...large, ...large].map(({ id }) => id),
          )
        ).size,
      ).toBe(8);
    });

    test('a search gives 100 documents when no limit is named, and never over 1,000', async () => {
      await save(1, ...Array.from({ length: 1100 }, (_, index) => region(`r${index}`, 1, { _id: `r${index}`, projectId: 'p' })));
      const where = { field: 'projectId', value: 'p' };
      expect(await ids({ where })).toHaveLength(100);
      expect(await ids({ where, limit: 5000 })).toHaveLength(1000);
    });

    test('a search by a field or a sort that was not declared is an error, and so is an undeclared collection', async () => {
      await expect(store.find(REGIONS.name, { where: { field: 'start', value: 1 } })).rejects.toThrow('start is not a declared index');
      await expect(store.find(REGIONS.name, { where: { field: 'tags', value: 'mix' }, sort: 'ascending' })).rejects.toThrow(
        'tags is not a declared index with a sort',
      );
      await expect(store.get('todos_v1', 't1')).rejects.toThrow('the collection todos_v1 is not declared');
      await expect(store.save({ projector: 'todos', checkpoint: 1, writes: [{ collection: 'todos_v1', id: 't1', position: 1, body: {} }] })).rejects.toThrow(
        'the collection todos_v1 is not declared',
      );
      await expect(
        store.declare({
          name: 'todos_v1',
          indexes: [
            { field: 'a', sort: 'b' },
            { field: 'a', sort: 'c' },
          ],
        }),
      ).rejects.toThrow('todos_v1 declares a field twice');
      expect(await store.checkpoint('todos')).toBe(0);
    });

    test('declaring again changes nothing, declaring another index finds what was saved before', async () => {
      await save(3, region('r1', 3, { _id: 'r1', label: 'chorus', projectId: 'p' }), region('r2', 3, null));
      await store.declare(REGIONS);
      await store.declare({ name: REGIONS.name, indexes: [{ field: 'label' }] });
      expect(await ids({ where: { field: 'label', value: 'chorus' } })).toEqual(['r1']);
      expect(await store.load([{ collection: REGIONS.name, id: 'r2' }])).toEqual([{ body: null, position: 3 }]);
      await expect(store.find(REGIONS.name, { where: { field: 'projectId', value: 'p' } })).rejects.toThrow('projectId is not a declared index');
    });

    test('a dropped collection is gone with its tombstones and its projector starts at 0; others stay', async () => {
      await store.declare({ name: 'todos_v1', indexes: [] });
      await store.save({ projector: 'todos', checkpoint: 2, writes: [{ collection: 'todos_v1', id: 't1', position: 2, body: { _id: 't1' } }] });
      await save(9, region('r1', 9, { _id: 'r1', projectId: 'p' }), region('r2', 9, null));
      await store.drop(REGIONS.name, 'regions');
      await store.drop('never_v1');
      await expect(store.get(REGIONS.name, 'r1')).rejects.toThrow('the collection regions_v1 is not declared');
      await store.declare(REGIONS);
      expect(await store.load([{ collection: REGIONS.name, id: 'r2' }])).toEqual([{ body: null, position: 0 }]);
      expect(await ids({ where: { field: 'projectId', value: 'p' } })).toEqual([]);
      expect(await store.checkpoint('regions')).toBe(0);
      expect(await store.checkpoint('todos')).toBe(2);
      expect(await store.get('todos_v1', 't1')).toEqual({ _id: 't1' });
    });

    test('facts and checkpoints are kept; a checkpoint never goes back, until it is dropped', async () => {
      await store.setFact('log', 'one');
      await store.setFact('log', 'two');
      await save(9);
      await save(4);
      await reopen();
      expect(await store.fact('log')).toBe('two');
      expect(await store.checkpoint('regions')).toBe(9);
      await store.drop(REGIONS.name, 'regions');
      expect(await store.checkpoint('regions')).toBe(0);
    });

    test('checkpoints of several projectors are told at once, 0 for one that never saved', async () => {
      await save(9);
      await store.save({ projector: 'todos', checkpoint: 4, writes: [] });
      expect(await store.checkpoints(['todos', 'nobody', 'regions', 'todos'])).toEqual(
        new Map([
          ['todos', 4],
          ['nobody', 0],
          ['regions', 9],
        ]),
      );
      expect(await store.checkpoints([])).toEqual(new Map());
    });

    test('a fact written with a fence refuses lower ones, also after reopening; the same, a higher and none may write', async () => {
      await store.setFact('served', 'by two', { fence: 2 });
      await store.setFact('served', 'by two again', { fence: 2 });
      await expect(store.setFact('served', 'by one', { fence: 1 })).rejects.toThrow(Fenced);
      expect(await store.fact('served')).toBe('by two again');
      await store.setFact('served', 'by none');
      await reopen();
      await expect(store.setFact('served', 'by one', { fence: 1 })).rejects.toThrow(Fenced);
      expect(await store.fact('served')).toBe('by none');
      await store.setFact('served', 'by three', { fence: 3 });
      await store.setFact('other', 'by one', { fence: 1 });
      expect([await store.fact('served'), await store.fact('other')]).toEqual(['by three', 'by one']);
    });

    test('every collection is listed, also after reopening, until it is dropped', async () => {
      await store.declare({ name: 'todos_v1', indexes: [] });
      await save(1, region('r1', 1, { _id: 'r1' }));
      await reopen();
      expect(await store.collections()).toEqual(['regions_v1', 'todos_v1']);
      await store.drop('todos_v1');
      expect(await store.collections()).toEqual(['regions_v1']);
    });

    test('batches made at the same time are saved in the order made, and closing waits for them', async () => {
      const batches = Array.from({ length: 50 }, (_, index) => save(index + 1, region('r1', index + 1, { _id: 'r1', count: index + 1 })));
      const closed = store.close();
      await Promise.all(batches);
      await closed;
      store = await place.open();
      await store.declare(REGIONS);
      expect(await store.checkpoint('regions')).toBe(50);
      expect(await store.get(REGIONS.name, 'r1')).toEqual({ _id: 'r1', count: 50 });
    });

    if (openedBy === 'several')
      describe('several stores opened on one place', () => {
        let other: DocumentStore;
        const by = (which: DocumentStore, checkpoint: number, ...writes: DocumentWrite[]) => which.save({ projector: 'regions', checkpoint, writes });
        beforeEach(async () => {
          other = await place.open();
          await other.declare(REGIONS);
        });
        afterEach(() => other.close());

        test('of documents that both write at the same time the newest stands, removed or not, whoever comes first', async () => {
          for (let round = 0; round < 30; round += 1) {
            const keys = Array.from({ length: 8 }, (_, index) => ({ collection: REGIONS.name, id: `r${round}-${index}` }));
            const writes = (position: number) => keys.map(({ id }, index) => region(id, position, (position + index) % 3 === 0 ? null : { at: position }));
            const first = round * 10 + 1;
            const positions = [first + 3, first, first + 5, first + 1, first + 4, first + 2];
            await Promise.all(positions.map((position, index) => by(index % 2 === 0 ? store : other, position, ...writes(position))));
            const last = writes(first + 5).map(({ body, position }) => ({ body, position }));
            expect(await store.load(keys)).toEqual(last);
            expect(await other.load(keys)).toEqual(last);
            expect(await other.checkpoint('regions')).toBe(first + 5);
          }
        });

        test('what one has saved, the other reads and finds', async () => {
          for (let position = 1; position <= 20; position += 1) {
            const [writer, reader] = position % 2 === 0 ? [store, other] : [other, store];
            await by(writer, position, region('r1', position, { projectId: `p${position}` }));
            expect(await reader.checkpoint('regions')).toBe(position);
            expect(await reader.get(REGIONS.name, 'r1')).toEqual({ projectId: `p${position}` });
            expect(await reader.find(REGIONS.name, { where: { field: 'projectId', value: `p${position}` } })).toHaveLength(1);
          }
        });

        test('who saves late, having lost its turn, takes no document and no checkpoint back', async () => {
          await by(other, 9, region('r1', 9, { by: 'other' }), region('r2', 8, null));
          await by(store, 5, region('r1', 5, { by: 'late' }), region('r2', 4, { by: 'late' }), region('r3', 3, { by: 'late' }));
          expect(await other.checkpoint('regions')).toBe(9);
          expect([await other.get(REGIONS.name, 'r1'), await other.get(REGIONS.name, 'r2')]).toEqual([{ by: 'other' }, null]);
        });

        test('of fences written at the same time the highest stays, and the lower one is told or came before', async () => {
          for (let round = 0; round < 20; round += 1) {
            const written = [store, other].map((which, index) => which.setFact('served', `${round} by ${index}`, { fence: round * 2 + index }));
            const [low, high] = await Promise.allSettled(written);
            expect(high?.status).toBe('fulfilled');
            expect(low?.status === 'rejected' ? low.reason : new Fenced()).toBeInstanceOf(Fenced);
            expect(await store.fact('served')).toBe(`${round} by 1`);
            await expect(store.setFact('served', 'late', { fence: round * 2 })).rejects.toThrow(Fenced);
          }
        });

        test('a collection made again by a late save behind its drop is listed, to be dropped once more', async () => {
          await by(store, 1, region('r1', 1, { projectId: 'p' }));
          await store.drop(REGIONS.name, 'regions');
          expect(await store.collections()).toEqual([]);
          await by(other, 2, region('r2', 2, { projectId: 'p' }));
          expect(await store.collections()).toEqual([REGIONS.name]);
          await store.drop(REGIONS.name);
          expect(await store.collections()).toEqual([]);
          expect(await other.get(REGIONS.name, 'r2')).toBeNull();
        });
      });

    test('a closed store says that it is away', async () => {
      await store.close();
      await expect(store.get(REGIONS.name, 'r1')).rejects.toThrow(StoreAway);
      await expect(store.checkpoint('regions')).rejects.toThrow(StoreAway);
      await expect(save(1)).rejects.toThrow(StoreAway);
    });
  });
}
