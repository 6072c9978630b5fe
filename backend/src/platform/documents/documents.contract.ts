import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceUnavailable } from '../store-errors.js';
import { type Document, Fenced } from './documents.js';
import { type TestDatabase, DocumentStoreFixture, region, REGIONS } from '../../testing/document-store-fixture.js';
import { searching } from './documents-search.contract.js';
import { sharing } from './documents-shared.contract.js';

/**
 * What every document store promises; each adapter's spec calls it with fresh storage per test. Tests of several stores on the same storage are skipped
 * for adapters that only one process can open.
 */
export function documentStoreContract(name: string, fresh: () => Promise<TestDatabase>, openedBy: 'one' | 'several'): void {
  describe(`${name} as a document store`, () => {
    const given = new DocumentStoreFixture();
    beforeEach(async () => given.begin(await fresh()));
    afterEach(() => given.end());
    keeping(given);
    guarding(given);
    searching(given);
    collecting(given);
    if (openedBy === 'several') sharing(given);
  });
}

function keeping(given: DocumentStoreFixture): void {
  test('saved documents are read back deeply equal, at once and after reopening, with the checkpoint', async () => {
    const body = { _id: 'r1', start: 1.25, nested: { list: [1, 'two', null, { three: true }], empty: {} }, text: 'ünï\u2028 "x" \u0000 🎸', none: null };
    await given.save(7, region('r1', 7, body));
    for (const again of [async () => undefined, () => given.reopen()]) {
      await again();
      expect(await given.store.get(REGIONS.name, 'r1')).toEqual(body);
      expect(await given.store.checkpoint('regions')).toBe(7);
    }
  });

  test('a body is read back as JSON would, whatever its keys, texts and numbers', async () => {
    const text = `{"": 1, "$set": {"a.b": [[[]], [null, {"$ref": 1, "": "x"}]]}, "__proto__": {"x": 1}, "_bsontype": "Long", "%002e": "%", "nul\\u0000": 2,
      "half": "\\ud83c", "\\udfb8": "end", "mark": "\uffff\\u0000", "large": [9007199254740991, -9007199254740991, 2147483648, 1e300, 5e-324, 0.1], "true": true}`;
    const body = { ...(JSON.parse(text) as Document), projectId: 'p', zero: -0, missing: undefined, many: [undefined, Number.NaN] };
    await given.save(1, region('r1', 1, body));
    await given.reopen();
    const expected = JSON.stringify(body);
    expect(JSON.stringify(await given.store.get(REGIONS.name, 'r1'))).toBe(expected);
    const [found] = await given.store.find(REGIONS.name, { where: { field: 'projectId', value: 'p' } });
    expect(JSON.stringify(found)).toBe(expected);
  });

  test('an id or a value with a NUL character is not that before it', async () => {
    await given.save(1, region('r1', 1, { projectId: 'p' }));
    await given.reopen();
    expect(await given.store.get(REGIONS.name, 'r1\0x')).toBeNull();
    expect((await given.store.getMany(REGIONS.name, ['r1\0'])).size).toBe(0);
    expect(await given.store.find(REGIONS.name, { where: { field: 'projectId', value: 'p\0' } })).toEqual([]);
  });

  test('a cached document equals the stored one, even during writes', async () => {
    const saved = { newest: 0 };
    const read = async (): Promise<void> => {
      while (saved.newest < 40) {
        const before = saved.newest;
        const [one, many] = [await given.store.get(REGIONS.name, 'r1'), (await given.store.getMany(REGIONS.name, ['r1', 'r2'])).get('r1')];
        for (const found of [one, many]) expect(Number(found?.['start'] ?? 0)).toBeGreaterThanOrEqual(before);
        const known = given.store.known(REGIONS.name, 'r1');
        const asked = await given.store.get(REGIONS.name, 'r1');
        expect(known ?? asked).toBe(asked);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const reading = [read(), read()];
    for (let at = 1; at <= 40; at += 1) {
      await given.save(at, region('r1', at, { start: at }), region('r2', at, { start: at }));
      saved.newest = at;
    }
    await Promise.all(reading);
    expect(await given.store.get(REGIONS.name, 'r1')).toEqual({ start: 40 });
    await given.save(41, region('r1', 41, null));
    expect(given.store.known(REGIONS.name, 'r1')).toBeUndefined();
    expect(await given.store.get(REGIONS.name, 'r1')).toBeNull();
    expect(given.store.known(REGIONS.name, 'r1') ?? null).toBeNull();
    await given.save(42, region('r1', 42, { start: 42 }));
    expect(await given.store.get(REGIONS.name, 'r1')).toEqual({ start: 42 });
    await given.store.get(REGIONS.name, 'r2');
    await given.store.drop(REGIONS.name, 'regions');
    expect(given.store.known(REGIONS.name, 'r2')).toBeUndefined();
  });

  test('missing documents are null or left out, and missing checkpoints are 0', async () => {
    await given.save(1, region('r1', 1, { _id: 'r1' }));
    expect(await given.store.get(REGIONS.name, 'r2')).toBeNull();
    expect(await given.store.getMany(REGIONS.name, ['r2', 'r1', 'r1'])).toEqual(new Map([['r1', { _id: 'r1' }]]));
    expect(await given.store.load([{ collection: REGIONS.name, id: 'r2' }])).toEqual([{ body: null, position: 0 }]);
    expect(await given.store.checkpoint('nobody')).toBe(0);
    expect(await given.store.fact('nothing')).toBeNull();
  });

  test('a batch of many or large documents is saved and loaded as a whole', async () => {
    const many = Array.from({ length: 2_300 }, (_, index) => region(`r${index}`, 1, { projectId: `p${index % 2}` }));
    const large = Array.from({ length: 8 }, (_, index) => region(`large${index}`, 1, { text: 'é'.repeat(1_500_000), index }));
    await given.save(1, ...many, ...large);
    const keys = [...many, ...large].map(({ collection, id }) => ({ collection, id }));
    expect(await given.store.load(keys)).toEqual([...many, ...large].map(({ body, position }) => ({ body, position })));
    expect(
      (
        await given.store.getMany(
          REGIONS.name,
          [...large, ...large].map(({ id }) => id),
        )
      ).size,
    ).toBe(8);
  });
}

function guarding(given: DocumentStoreFixture): void {
  test('a write at an older or equal position changes nothing, so batches can be delivered twice', async () => {
    await given.save(5, region('r1', 5, { _id: 'r1', projectId: 'new' }));
    await given.save(5, region('r1', 5, { _id: 'r1', projectId: 'same' }), region('r2', 4, { _id: 'r2', projectId: 'new' }));
    await given.save(5, region('r1', 3, { _id: 'r1', projectId: 'old' }), region('r1', 2, null));
    expect(await given.store.get(REGIONS.name, 'r1')).toEqual({ _id: 'r1', projectId: 'new' });
    expect(await given.ids({ where: { field: 'projectId', value: 'new' } })).toEqual(['r1', 'r2']);
    expect(await given.ids({ where: { field: 'projectId', value: 'old' } })).toEqual([]);
  });

  test('a removed document remains as a tombstone that a late write does not revive and a newer one does', async () => {
    await given.save(2, region('r1', 2, { _id: 'r1', projectId: 'p' }));
    await given.save(4, region('r1', 4, null));
    await given.save(4, region('r1', 3, { _id: 'r1', projectId: 'p' }), region('never', 4, null));
    expect(await given.store.get(REGIONS.name, 'r1')).toBeNull();
    expect(await given.store.getMany(REGIONS.name, ['r1'])).toEqual(new Map());
    expect(await given.ids({ where: { field: 'projectId', value: 'p' } })).toEqual([]);
    const keys = ['r1', 'never'].map((id) => ({ collection: REGIONS.name, id }));
    expect(await given.store.load(keys)).toEqual([
      { body: null, position: 4 },
      { body: null, position: 4 },
    ]);
    await given.save(5, region('r1', 5, { _id: 'r1', projectId: 'p' }));
    expect(await given.ids({ where: { field: 'projectId', value: 'p' } })).toEqual(['r1']);
  });

  test('facts and checkpoints are kept, and a checkpoint never goes back unless dropped', async () => {
    await given.store.setFact('log', 'one');
    await given.store.setFact('log', 'two');
    await given.save(9);
    await given.save(4);
    await given.reopen();
    expect(await given.store.fact('log')).toBe('two');
    expect(await given.store.checkpoint('regions')).toBe(9);
    await given.store.drop(REGIONS.name, 'regions');
    expect(await given.store.checkpoint('regions')).toBe(0);
  });

  test('checkpoints of several projectors are read in one call, 0 for one that never saved', async () => {
    await given.save(9);
    await given.store.save({ projector: 'todos', checkpoint: 4, writes: [] });
    expect(await given.store.checkpoints(['todos', 'nobody', 'regions', 'todos'])).toEqual(
      new Map([
        ['todos', 4],
        ['nobody', 0],
        ['regions', 9],
      ]),
    );
    expect(await given.store.checkpoints([])).toEqual(new Map());
  });

  test('a fact written with a fence refuses lower fences, even after reopening, but accepts the same, a higher or no fence', async () => {
    await given.store.setFact('served', 'by two', { fence: 2 });
    await given.store.setFact('served', 'by two again', { fence: 2 });
    await expect(given.store.setFact('served', 'by one', { fence: 1 })).rejects.toThrow(Fenced);
    expect(await given.store.fact('served')).toBe('by two again');
    await given.store.setFact('served', 'by none');
    await given.reopen();
    await expect(given.store.setFact('served', 'by one', { fence: 1 })).rejects.toThrow(Fenced);
    expect(await given.store.fact('served')).toBe('by none');
    await given.store.setFact('served', 'by three', { fence: 3 });
    await given.store.setFact('other', 'by one', { fence: 1 });
    expect([await given.store.fact('served'), await given.store.fact('other')]).toEqual(['by three', 'by one']);
  });

  test('concurrent batches are saved in call order, and closing waits for them', async () => {
    const batches = Array.from({ length: 50 }, (_, index) => given.save(index + 1, region('r1', index + 1, { _id: 'r1', count: index + 1 })));
    const closed = given.store.close();
    await Promise.all(batches);
    await closed;
    await given.open();
    expect(await given.store.checkpoint('regions')).toBe(50);
    expect(await given.store.get(REGIONS.name, 'r1')).toEqual({ _id: 'r1', count: 50 });
  });
}

function collecting(given: DocumentStoreFixture): void {
  test('declaring again changes nothing, and a new index finds existing documents', async () => {
    await given.save(3, region('r1', 3, { _id: 'r1', label: 'chorus', projectId: 'p' }), region('r2', 3, null));
    await given.store.declare(REGIONS);
    await given.store.declare({ name: REGIONS.name, indexes: [{ field: 'label' }] });
    expect(await given.ids({ where: { field: 'label', value: 'chorus' } })).toEqual(['r1']);
    expect(await given.store.load([{ collection: REGIONS.name, id: 'r2' }])).toEqual([{ body: null, position: 3 }]);
    await expect(given.store.find(REGIONS.name, { where: { field: 'projectId', value: 'p' } })).rejects.toThrow('projectId is not a declared index');
  });

  test('dropping a collection removes its tombstones and checkpoint and leaves others unchanged', async () => {
    await given.store.declare({ name: 'todos_v1', indexes: [] });
    await given.store.save({ projector: 'todos', checkpoint: 2, writes: [{ collection: 'todos_v1', id: 't1', position: 2, body: { _id: 't1' } }] });
    await given.save(9, region('r1', 9, { _id: 'r1', projectId: 'p' }), region('r2', 9, null));
    await given.store.drop(REGIONS.name, 'regions');
    await given.store.drop('never_v1');
    await expect(given.store.get(REGIONS.name, 'r1')).rejects.toThrow('the collection regions_v1 is not declared');
    await given.store.declare(REGIONS);
    expect(await given.store.load([{ collection: REGIONS.name, id: 'r2' }])).toEqual([{ body: null, position: 0 }]);
    expect(await given.ids({ where: { field: 'projectId', value: 'p' } })).toEqual([]);
    expect(await given.store.checkpoint('regions')).toBe(0);
    expect(await given.store.checkpoint('todos')).toBe(2);
    expect(await given.store.get('todos_v1', 't1')).toEqual({ _id: 't1' });
  });

  test('every collection is listed, even after reopening, until it is dropped', async () => {
    await given.store.declare({ name: 'todos_v1', indexes: [] });
    await given.save(1, region('r1', 1, { _id: 'r1' }));
    await given.reopen();
    expect(await given.store.collections()).toEqual(['regions_v1', 'todos_v1']);
    await given.store.drop('todos_v1');
    expect(await given.store.collections()).toEqual(['regions_v1']);
  });

  test('a closed store throws ServiceUnavailable', async () => {
    await given.store.close();
    await expect(given.store.get(REGIONS.name, 'r1')).rejects.toThrow(ServiceUnavailable);
    await expect(given.store.checkpoint('regions')).rejects.toThrow(ServiceUnavailable);
    await expect(given.save(1)).rejects.toThrow(ServiceUnavailable);
  });
}
