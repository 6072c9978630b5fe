import { beforeEach, describe, expect, test } from '@jest/globals';
import { type DocumentStoreFixture, region, REGIONS } from '../../testing/document-store-fixture.js';
import type { Document, FindQuery } from './documents.js';

/** What every document store promises about searches. */
export function searching(given: DocumentStoreFixture): void {
  test('a value is matched literally, even if it looks like a query', async () => {
    const values = ['$gt', '\ud83c', '\uffff', '', '/a/'];
    await given.save(1, ...values.map((value, index) => region(`r${index}`, 1, { projectId: value, tags: [value, 'x'] })));
    for (const [index, value] of values.entries()) {
      expect(await given.store.find(REGIONS.name, { where: { field: 'projectId', value } })).toEqual([{ projectId: values[index], tags: [value, 'x'] }]);
      expect(await given.store.find(REGIONS.name, { where: { field: 'tags', value } })).toHaveLength(1);
    }
  });

  test('a document is found only by the newest value of a declared field, and types are distinct', async () => {
    await given.save(
      1,
      region('r1', 1, { _id: 'r1', projectId: 'a' }),
      region('r2', 1, { _id: 'r2', projectId: 1 }),
      region('r3', 1, { _id: 'r3', projectId: true }),
      region('r4', 1, { _id: 'r4', projectId: '1' }),
    );
    await given.save(2, region('r1', 2, { _id: 'r1', projectId: 'b' }));
    expect(await given.ids({ where: { field: 'projectId', value: 'a' } })).toEqual([]);
    expect(await given.ids({ where: { field: 'projectId', value: 'b' } })).toEqual(['r1']);
    expect(await given.ids({ where: { field: 'projectId', value: 1 } })).toEqual(['r2']);
    expect(await given.ids({ where: { field: 'projectId', value: true } })).toEqual(['r3']);
    expect(await given.ids({ where: { field: 'projectId', value: '1' } })).toEqual(['r4']);
  });

  test('a list field is found by each of its members, even inside objects', async () => {
    await given.save(
      1,
      region('r1', 1, { _id: 'r1', tags: ['mix', 'loud', 'mix'], members: [{ uid: 'ana' }, { uid: 'bob' }] }),
      region('r2', 1, { _id: 'r2', tags: 'mix', members: [] }),
    );
    expect(await given.ids({ where: { field: 'tags', value: 'mix' } })).toEqual(['r1', 'r2']);
    expect(await given.ids({ where: { field: 'members.uid', value: 'bob' } })).toEqual(['r1']);
    await given.save(2, region('r1', 2, { _id: 'r1', tags: ['loud'], members: [{ uid: 'ana' }] }));
    expect(await given.ids({ where: { field: 'tags', value: 'mix' } })).toEqual(['r2']);
    expect(await given.ids({ where: { field: 'members.uid', value: 'bob' } })).toEqual([]);
  });

  test('search results are in id order, or by the declared sort and then by id', async () => {
    const starts = { r5: 10, r1: 9.5, r4: 9.5, r2: -1, r3: undefined };
    await given.save(1, ...Object.entries(starts).map(([id, start]) => region(id, 1, { _id: id, projectId: 'p', start })));
    const where = { field: 'projectId', value: 'p' };
    expect(await given.ids({ where })).toEqual(['r1', 'r2', 'r3', 'r4', 'r5']);
    expect(await given.ids({ where, sort: 'ascending' })).toEqual(['r3', 'r2', 'r1', 'r4', 'r5']);
    expect(await given.ids({ where, sort: 'descending' })).toEqual(['r5', 'r4', 'r1', 'r2', 'r3']);
  });

  test('index matches are returned in pages in id order, with positions', async () => {
    await given.save(1, region('r2', 1, { projectId: 'p', start: 1 }), region('r1', 1, { projectId: 'p', start: 2 }), region('r4', 1, { projectId: 'p' }));
    await given.save(3, region('r3', 2, { projectId: 'p' }), region('r4', 3, null), region('r2', 3, { projectId: 'p', start: 3 }));
    const where = { field: 'projectId', value: 'p' };
    const [first, second, third] = [
      { id: 'r1', body: { projectId: 'p', start: 2 }, position: 1 },
      { id: 'r2', body: { projectId: 'p', start: 3 }, position: 3 },
      { id: 'r3', body: { projectId: 'p' }, position: 2 },
    ];
    expect(await given.store.matches(REGIONS.name, { where, limit: 10 })).toEqual([first, second, third]);
    expect(await given.store.matches(REGIONS.name, { where, limit: 2 })).toEqual([first, second]);
    expect(await given.store.matches(REGIONS.name, { where, limit: 2, after: 'r2' })).toEqual([third]);
    await expect(given.store.matches(REGIONS.name, { where: { field: 'start', value: 1 }, limit: 2 })).rejects.toThrow('not a declared index');
  });

  test('text is sorted by its bytes, and an index with a sort serves searches without one', async () => {
    const names = { r1: 'b', r2: 'B', r3: 'é', r4: 'a' };
    await given.save(1, ...Object.entries(names).map(([id, value]) => region(id, 1, { _id: id, owner: { uid: 'ana' }, name: value })));
    const where = { field: 'owner.uid', value: 'ana' };
    expect(await given.ids({ where, sort: 'ascending' })).toEqual(['r2', 'r4', 'r1', 'r3']);
    expect(await given.ids({ where })).toEqual(['r1', 'r2', 'r3', 'r4']);
  });

  test('a page continues after the last document of the previous one', async () => {
    const starts = [3, 1, 1, undefined, 2];
    await given.save(1, ...starts.map((start, index) => region(`r${index}`, 1, { _id: `r${index}`, projectId: 'p', start })));
    const where = { field: 'projectId', value: 'p' };
    expect(await given.ids({ where, limit: 2 })).toEqual(['r0', 'r1']);
    expect(await given.ids({ where, limit: 2, after: { id: 'r1' } })).toEqual(['r2', 'r3']);
    expect(await given.ids({ where, sort: 'ascending', limit: 2, after: { id: 'r3', sort: null } })).toEqual(['r1', 'r2']);
    expect(await given.ids({ where, sort: 'ascending', limit: 2, after: { id: 'r1', sort: 1 } })).toEqual(['r2', 'r4']);
    expect(await given.ids({ where, sort: 'descending', limit: 9, after: { id: 'r2', sort: 1 } })).toEqual(['r1', 'r3']);
  });

  test.each(['ascending', 'descending'] as const)('pages of a %s search continue through missing values, numbers and text', async (sort) => {
    const starts = [null, undefined, -2, 0, 0, 1.5, 'A', 'B', 'B', 'a', ''];
    await given.save(1, ...starts.map((start, index) => region(`r${index}`, 1, { _id: `r${index}`, projectId: 'p', start })));
    const where = { field: 'projectId', value: 'p' };
    const inOrder = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r10', 'r6', 'r7', 'r8', 'r9'];
    const expected = sort === 'ascending' ? inOrder : inOrder.toReversed();
    expect(await given.ids({ where, sort })).toEqual(expected);
    for (const [at, id] of expected.entries()) {
      const after = { id, sort: starts[Number(id.slice(1))] ?? null };
      expect(await given.ids({ where, sort, after, limit: 3 })).toEqual(expected.slice(at + 1, at + 4));
    }
  });

  test('a search returns 100 documents by default and never more than 1,000', async () => {
    await given.save(1, ...Array.from({ length: 1100 }, (_, index) => region(`r${index}`, 1, { _id: `r${index}`, projectId: 'p' })));
    const where = { field: 'projectId', value: 'p' };
    expect(await given.ids({ where })).toHaveLength(100);
    expect(await given.ids({ where, limit: 5000 })).toHaveLength(1000);
  });

  test('a search by a field or a sort that was not declared is an error, and so is an undeclared collection', async () => {
    await expect(given.store.find(REGIONS.name, { where: { field: 'start', value: 1 } })).rejects.toThrow('start is not a declared index');
    await expect(given.store.find(REGIONS.name, { where: { field: 'tags', value: 'mix' }, sort: 'ascending' })).rejects.toThrow(
      'tags is not a declared index with a sort',
    );
    await expect(given.store.get('todos_v1', 't1')).rejects.toThrow('the collection todos_v1 is not declared');
    await expect(
      given.store.save({ projector: 'todos', checkpoint: 1, writes: [{ collection: 'todos_v1', id: 't1', position: 1, body: {} }] }),
    ).rejects.toThrow('the collection todos_v1 is not declared');
    await expect(
      given.store.declare({
        name: 'todos_v1',
        indexes: [
          { field: 'a', sort: 'b' },
          { field: 'a', sort: 'c' },
        ],
      }),
    ).rejects.toThrow('todos_v1 declares a field twice');
    expect(await given.store.checkpoint('todos')).toBe(0);
  });

  describe('a collection loaded in bulk', () => {
    const loaded = { ...REGIONS, name: 'loaded_v1' };
    const saved = (checkpoint: number, id: string, body: Document | null) =>
      given.store.save({ projector: 'loaded', checkpoint, writes: [{ ...region(id, checkpoint, body), collection: loaded.name }] });
    const ids = async (where: FindQuery['where'], sort?: 'ascending') =>
      (await given.store.find(loaded.name, { where, ...(sort === undefined ? {} : { sort }) })).map(({ _id }) => _id);

    beforeEach(async () => {
      await given.store.declare({ ...loaded, isLoading: true });
      await saved(1, 'r1', { _id: 'r1', projectId: 'p', start: 9.5, tags: ['mix', 'loud'], members: [{ uid: 'ana' }] });
      await saved(2, 'r2', { _id: 'r2', projectId: 'p', tags: ['\ud83c', '\u0000', '"\n', true] });
      await saved(3, 'r3', { _id: 'r3', projectId: 'other', start: -1 });
      await saved(4, 'r3', { _id: 'r3', projectId: 'p', start: -1 });
      await saved(5, 'r4', { _id: 'r4', projectId: 'p' });
      await saved(6, 'r4', null);
    });

    const expectAllFound = async () => {
      expect(await ids({ field: 'projectId', value: 'p' })).toEqual(['r1', 'r2', 'r3']);
      expect(await ids({ field: 'projectId', value: 'p' }, 'ascending')).toEqual(['r2', 'r3', 'r1']);
      expect(await ids({ field: 'projectId', value: 'other' })).toEqual([]);
      expect(await ids({ field: 'members.uid', value: 'ana' })).toEqual(['r1']);
      for (const value of ['\ud83c', '\u0000', '"\n', true]) expect(await ids({ field: 'tags', value })).toEqual(['r2']);
    };

    test.each([
      ['once it is declared as loaded', () => given.store.declare(loaded)],
      ['when it is searched before that', () => Promise.resolve()],
      [
        'when loading was interrupted, resumed and completed',
        async () => {
          await given.reopen();
          await given.store.declare({ ...loaded, isLoading: true });
          await given.store.declare(loaded);
        },
      ],
    ])('finds all its documents %s, and later changes', async (_when, end) => {
      await end();
      await expectAllFound();
      await given.store.declare({ ...loaded, isLoading: true });
      await expectAllFound();
      await saved(7, 'r1', { _id: 'r1', projectId: 'q', tags: [] });
      await saved(8, 'r2', null);
      await saved(9, 'r5', { _id: 'r5', projectId: 'q' });
      expect(await ids({ field: 'projectId', value: 'p' })).toEqual(['r3']);
      expect(await ids({ field: 'projectId', value: 'q' })).toEqual(['r1', 'r5']);
      expect(await ids({ field: 'tags', value: '\u0000' })).toEqual([]);
      expect(await ids({ field: 'tags', value: 'mix' })).toEqual([]);
    });

    test('keeps its documents when different indexes are declared meanwhile', async () => {
      await given.store.declare({ name: loaded.name, indexes: [{ field: 'start' }], isLoading: true });
      expect(await ids({ field: 'start', value: -1 })).toEqual(['r3']);
    });
  });
}
