import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceUnavailable } from '../store-errors.js';
import type { Vault } from './vault.js';

/** The storage of one test: `open` can be called again after closing, and `remove` deletes it. */
export interface VaultStorage {
  readonly open: () => Promise<Vault>;
  readonly remove: () => Promise<void>;
}

const SESSIONS = { name: 'sessions', indexes: ['uid', 'expires'] } as const;

/**
 * What every vault promises; each adapter's spec calls it with fresh storage per test. Tests of several vaults on the same storage are skipped for
 * adapters that only one process can open.
 */
export function vaultContract(name: string, fresh: () => Promise<VaultStorage>, openedBy: 'one' | 'several'): void {
  describe(`${name} as a vault`, () => {
    let storage: VaultStorage;
    let vault: Vault;
    const ids = async (query: Parameters<Vault['find']>[1]) => (await vault.find(SESSIONS.name, query)).map(({ id }) => id);
    const version = async (id: string) => (await vault.get(SESSIONS.name, id))?.version ?? -1;
    const reopen = async () => {
      await vault.close();
      vault = await storage.open();
      await vault.declare(SESSIONS);
    };

    beforeEach(async () => {
      storage = await fresh();
      vault = await storage.open();
      await vault.declare(SESSIONS);
      await vault.declare({ name: 'keys' });
    });
    afterEach(async () => {
      await vault.close();
      await storage.remove();
    });

    test('a record is read back deeply equal after reopening, and a missing one as null', async () => {
      const body = { uid: 'ana', list: [1, null, { deep: 'ünï 🎸' }], on: true };
      await vault.put(SESSIONS.name, 's1', body);
      await reopen();
      expect((await vault.get(SESSIONS.name, 's1'))?.body).toEqual(body);
      expect(await vault.get(SESSIONS.name, 's2')).toBeNull();
    });

    test('an id or a value with a NUL character is not that before it', async () => {
      await vault.put(SESSIONS.name, 's1', { uid: 'ana' });
      expect(await vault.get(SESSIONS.name, 's1\0')).toBeNull();
      expect(await ids({ field: 'uid', value: 'ana\0x' })).toEqual([]);
      expect(await vault.insert(SESSIONS.name, 's1\0x', { uid: 'bob' })).toBe(true);
      expect((await vault.get(SESSIONS.name, 's1'))?.body).toEqual({ uid: 'ana' });
    });

    test('only one of many concurrent inserts of an id succeeds', async () => {
      const tries = await Promise.all(Array.from({ length: 20 }, (_, index) => vault.insert(SESSIONS.name, 's1', { by: index })));
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect((await vault.get(SESSIONS.name, 's1'))?.body).toEqual({ by: tries.indexOf(true) });
      expect(await vault.insert(SESSIONS.name, 's1', { by: 'late' })).toBe(false);
    });

    test('an id belongs to its collection', async () => {
      expect(await vault.insert(SESSIONS.name, 'x', { a: 1 })).toBe(true);
      expect(await vault.insert('keys', 'x', { a: 2 })).toBe(true);
      expect(await vault.remove('keys', 'x')).toBe(true);
      expect((await vault.get(SESSIONS.name, 'x'))?.body).toEqual({ a: 1 });
    });

    test('a replacement needs the version that was read, so one of two wins', async () => {
      await vault.insert(SESSIONS.name, 's1', { count: 0 });
      const read = await version('s1');
      const outcomes = await Promise.all([1, 2].map((count) => vault.replace(SESSIONS.name, 's1', read, { count })));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await vault.replace(SESSIONS.name, 's1', read, { count: 3 })).toBe(false);
      expect(await vault.replace(SESSIONS.name, 's2', read, { count: 3 })).toBe(false);
      expect((await vault.get(SESSIONS.name, 's1'))?.body).toEqual({ count: outcomes.indexOf(true) + 1 });
      expect(await vault.replace(SESSIONS.name, 's1', await version('s1'), { count: 4 })).toBe(true);
    });

    test('overwriting a record changes its version, and so does recreating it', async () => {
      const seen = new Set<number>();
      await vault.insert(SESSIONS.name, 's1', { n: 1 });
      seen.add(await version('s1'));
      await vault.put(SESSIONS.name, 's1', { n: 2 });
      seen.add(await version('s1'));
      await vault.remove(SESSIONS.name, 's1');
      await reopen();
      await vault.insert(SESSIONS.name, 's1', { n: 3 });
      seen.add(await version('s1'));
      expect(seen.size).toBe(3);
      for (const old of [...seen].slice(0, 2)) expect(await vault.remove(SESSIONS.name, 's1', old)).toBe(false);
      expect((await vault.get(SESSIONS.name, 's1'))?.body).toEqual({ n: 3 });
    });

    test('a removal says whether there was something to remove', async () => {
      await vault.insert(SESSIONS.name, 's1', { uid: 'ana' });
      expect(await vault.remove(SESSIONS.name, 's1', (await version('s1')) + 1)).toBe(false);
      expect(await vault.remove(SESSIONS.name, 's1', await version('s1'))).toBe(true);
      expect(await vault.remove(SESSIONS.name, 's1')).toBe(false);
      expect(await ids({ field: 'uid', value: 'ana' })).toEqual([]);
    });

    test('records are found by the newest value of a declared field, in id order, in pages', async () => {
      for (const id of ['s3', 's1', 's2', 's4']) await vault.put(SESSIONS.name, id, { uid: 'ana', expires: 5 });
      await vault.put(SESSIONS.name, 's4', { uid: 'bob', expires: '5' });
      expect(await ids({ field: 'uid', value: 'ana' })).toEqual(['s1', 's2', 's3']);
      expect(await ids({ field: 'uid', value: 'ana', afterId: 's1', limit: 1 })).toEqual(['s2']);
      expect(await ids({ field: 'expires', value: 5 })).toEqual(['s1', 's2', 's3']);
      expect(await ids({ field: 'expires', value: '5' })).toEqual(['s4']);
      expect(await ids({})).toEqual(['s1', 's2', 's3', 's4']);
      expect(await ids({ afterId: 's2', limit: 1 })).toEqual(['s3']);
    });

    test('records are found by a range of a declared field, in its order and then by id', async () => {
      for (const [id, expires] of Object.entries({ s1: 20, s2: 5, s3: 5, s4: 100, s5: -3, s6: '20' })) await vault.put(SESSIONS.name, id, { uid: id, expires });
      const range = async (query: Parameters<Vault['range']>[1]) => (await vault.range(SESSIONS.name, query)).map(({ id }) => id);
      expect(await range({ field: 'expires', from: 5, to: 20 })).toEqual(['s2', 's3', 's1']);
      expect(await range({ field: 'expires', from: -100, to: 1_000, limit: 2 })).toEqual(['s5', 's2']);
      expect(await range({ field: 'expires', from: '', to: '~' })).toEqual(['s6']);
      expect(await range({ field: 'uid', from: 's2', to: 's4' })).toEqual(['s2', 's3', 's4']);
      await vault.put(SESSIONS.name, 's2', { uid: 's2' });
      expect(await range({ field: 'expires', from: 5, to: 20 })).toEqual(['s3', 's1']);
    });

    test('all records with a value are removed at once and counted', async () => {
      for (const id of ['s1', 's2']) await vault.put(SESSIONS.name, id, { uid: 'ana' });
      await vault.put(SESSIONS.name, 's3', { uid: 'bob' });
      expect(await vault.removeWhere(SESSIONS.name, 'uid', 'ana')).toBe(2);
      expect(await vault.removeWhere(SESSIONS.name, 'uid', 'ana')).toBe(0);
      expect(await ids({})).toEqual(['s3']);
    });

    test('an index declared later finds existing records', async () => {
      await vault.put('keys', 'k1', { owner: 'ana' });
      await vault.declare({ name: 'keys', indexes: ['owner'] });
      expect(await vault.find('keys', { field: 'owner', value: 'ana' })).toMatchObject([{ id: 'k1', body: { owner: 'ana' } }]);
    });

    test('an undeclared field or collection is an error', async () => {
      await expect(vault.find(SESSIONS.name, { field: 'secret', value: 'x' })).rejects.toThrow('secret is not a declared index of sessions');
      await expect(vault.range(SESSIONS.name, { field: 'secret', from: 1, to: 2 })).rejects.toThrow('secret is not a declared index of sessions');
      await expect(vault.removeWhere(SESSIONS.name, 'secret', 'x')).rejects.toThrow('secret is not a declared index of sessions');
      await expect(vault.put('nothing', 'x', {})).rejects.toThrow('the collection nothing is not declared');
    });

    test('a body is read back as JSON would, and is found by its texts', async () => {
      const body = { uid: '$gt', 'a.b': { '': '\ud83c', $where: [[], [null]] }, zero: -0, large: [2 ** 53 - 1, 2 ** 31, 0.1], missing: undefined };
      await vault.put(SESSIONS.name, 's1', body);
      await vault.put(SESSIONS.name, 's2', { uid: '\ud83c' });
      expect(JSON.stringify((await vault.get(SESSIONS.name, 's1'))?.body)).toBe(JSON.stringify(body));
      expect([await ids({ field: 'uid', value: '$gt' }), await ids({ field: 'uid', value: '\ud83c' })]).toEqual([['s1'], ['s2']]);
    });

    test('removal by value removes more records than one search returns', async () => {
      for (let page = 0; page < 11; page += 1) {
        await Promise.all(Array.from({ length: 100 }, (_, index) => vault.put(SESSIONS.name, `s${page * 100 + index}`, { uid: 'ana' })));
      }
      expect(await vault.removeWhere(SESSIONS.name, 'uid', 'ana')).toBe(1_100);
      expect(await ids({})).toEqual([]);
    });

    if (openedBy === 'several')
      describe('several vaults on the same storage', () => {
        let other: Vault;
        const each = (round: number): Vault => (round % 2 === 0 ? vault : other);
        beforeEach(async () => {
          other = await storage.open();
          await other.declare(SESSIONS);
        });
        afterEach(() => other.close());

        test('one of two concurrent inserts of an id succeeds, and the other vault sees it', async () => {
          for (let round = 0; round < 20; round += 1) {
            const tries = await Promise.all([0, 1, 2, 3].map((by) => each(by).insert(SESSIONS.name, `s${round}`, { by })));
            expect(tries.filter(Boolean)).toHaveLength(1);
            for (const which of [vault, other]) expect((await which.get(SESSIONS.name, `s${round}`))?.body).toEqual({ by: tries.indexOf(true) });
          }
        });

        test('concurrent increments by version comparison are all counted', async () => {
          await vault.insert(SESSIONS.name, 's1', { count: 0 });
          const countUp = async (which: Vault): Promise<void> => {
            const read = await which.get<{ count: number }>(SESSIONS.name, 's1');
            if (read === null) throw new Error('the record is gone');
            if (!(await which.replace(SESSIONS.name, 's1', read.version, { count: read.body.count + 1 }))) await countUp(which);
          };
          await Promise.all(Array.from({ length: 40 }, (_, index) => countUp(each(index))));
          expect((await other.get(SESSIONS.name, 's1'))?.body).toEqual({ count: 40 });
        });

        test('concurrent overwrites and removals leave one of the bodies or none, and no version twice', async () => {
          const versions: number[] = [];
          for (let round = 0; round < 20; round += 1) {
            await Promise.all([vault.put(SESSIONS.name, 's1', { by: 0 }), other.put(SESSIONS.name, 's1', { by: 1 }), vault.remove(SESSIONS.name, 's1')]);
            const left = await other.get(SESSIONS.name, 's1');
            expect([null, 0, 1]).toContain(left?.body.by ?? null);
            if (left !== null) versions.push(left.version);
          }
          expect(new Set(versions).size).toBe(versions.length);
          await vault.remove(SESSIONS.name, 's1');
          expect(await other.get(SESSIONS.name, 's1')).toBeNull();
        });

        test('records removed by value in one vault are gone in the other', async () => {
          for (let index = 0; index < 10; index += 1) await each(index).put(SESSIONS.name, `s${index}`, { uid: index < 5 ? 'ana' : 'bob' });
          expect(await other.removeWhere(SESSIONS.name, 'uid', 'ana')).toBe(5);
          expect(await ids({})).toEqual(['s5', 's6', 's7', 's8', 's9']);
        });
      });

    test('scrubbing keeps every stored record', async () => {
      await vault.put(SESSIONS.name, 's1', { uid: 'ana' });
      await vault.put(SESSIONS.name, 's2', { uid: 'bob' });
      await vault.remove(SESSIONS.name, 's2');
      await vault.scrub();
      expect(await ids({})).toEqual(['s1']);
    });

    test('closing waits for earlier calls, and later ones throw ServiceUnavailable', async () => {
      const writes = Array.from({ length: 300 }, (_, index) => vault.put(SESSIONS.name, `s${index}`, { uid: 'ana' }));
      await vault.close();
      await Promise.all(writes);
      await expect(vault.get(SESSIONS.name, 's1')).rejects.toThrow(ServiceUnavailable);
      await expect(vault.put(SESSIONS.name, 's1', {})).rejects.toThrow(ServiceUnavailable);
      await reopen();
      expect(await ids({ field: 'uid', value: 'ana' })).toHaveLength(300);
    });
  });
}
