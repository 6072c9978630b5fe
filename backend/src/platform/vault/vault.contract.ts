import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StoreAway } from '../store-errors.js';
import type { Vault } from './vault.js';

/** A place of its own for one test: `open` again after closing finds what was there; `remove` clears it away. */
export interface VaultPlace {
  readonly open: () => Promise<Vault>;
  readonly remove: () => Promise<void>;
}

const SESSIONS = { name: 'sessions', indexes: ['uid', 'expires'] } as const;

/** What every vault promises; each adapter's spec calls it with a fresh place per test. */
export function vaultContract(name: string, fresh: () => Promise<VaultPlace>): void {
  describe(`${name} as a vault`, () => {
    let place: VaultPlace;
    let vault: Vault;
    const ids = async (query: Parameters<Vault['find']>[1]) => (await vault.find(SESSIONS.name, query)).map(({ id }) => id);
    const version = async (id: string) => (await vault.get(SESSIONS.name, id))?.version ?? -1;
    const reopen = async () => {
      await vault.close();
      vault = await place.open();
      await vault.declare(SESSIONS);
    };

    beforeEach(async () => {
      place = await fresh();
      vault = await place.open();
      await vault.declare(SESSIONS);
      await vault.declare({ name: 'keys' });
    });
    afterEach(async () => {
      await vault.close();
      await place.remove();
    });

    test('a record comes back deeply equal after reopening, and nothing where there is none', async () => {
      const body = { uid: 'ana', list: [1, null, { deep: 'ünï 🎸' }], on: true };
      await vault.put(SESSIONS.name, 's1', body);
      await reopen();
      expect((await vault.get(SESSIONS.name, 's1'))?.body).toEqual(body);
      expect(await vault.get(SESSIONS.name, 's2')).toBeNull();
    });

    test('an id can be taken once, by one of many who try at the same time', async () => {
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

    test('a replacement needs the version that was read: one of two wins', async () => {
      await vault.insert(SESSIONS.name, 's1', { count: 0 });
      const read = await version('s1');
      const outcomes = await Promise.all([1, 2].map((count) => vault.replace(SESSIONS.name, 's1', read, { count })));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await vault.replace(SESSIONS.name, 's1', read, { count: 3 })).toBe(false);
      expect(await vault.replace(SESSIONS.name, 's2', read, { count: 3 })).toBe(false);
      expect((await vault.get(SESSIONS.name, 's1'))?.body).toEqual({ count: outcomes.indexOf(true) + 1 });
      expect(await vault.replace(SESSIONS.name, 's1', await version('s1'), { count: 4 })).toBe(true);
    });

    test('overwriting gives another version, and so does removing and coming back', async () => {
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

    test('all records of a value are removed at once, and counted', async () => {
      for (const id of ['s1', 's2']) await vault.put(SESSIONS.name, id, { uid: 'ana' });
      await vault.put(SESSIONS.name, 's3', { uid: 'bob' });
      expect(await vault.removeWhere(SESSIONS.name, 'uid', 'ana')).toBe(2);
      expect(await vault.removeWhere(SESSIONS.name, 'uid', 'ana')).toBe(0);
      expect(await ids({})).toEqual(['s3']);
    });

    test('an index declared later finds what was there before', async () => {
      await vault.put('keys', 'k1', { owner: 'ana' });
      await vault.declare({ name: 'keys', indexes: ['owner'] });
      expect(await vault.find('keys', { field: 'owner', value: 'ana' })).toMatchObject([{ id: 'k1', body: { owner: 'ana' } }]);
    });

    test('an undeclared field or collection is an error', async () => {
      await expect(vault.find(SESSIONS.name, { field: 'secret', value: 'x' })).rejects.toThrow('secret is not a declared index of sessions');
      await expect(vault.removeWhere(SESSIONS.name, 'secret', 'x')).rejects.toThrow('secret is not a declared index of sessions');
      await expect(vault.put('nothing', 'x', {})).rejects.toThrow('the collection nothing is not declared');
    });

    test('scrubbing takes nothing away that stands', async () => {
      await vault.put(SESSIONS.name, 's1', { uid: 'ana' });
      await vault.put(SESSIONS.name, 's2', { uid: 'bob' });
      await vault.remove(SESSIONS.name, 's2');
      await vault.scrub();
      expect(await ids({})).toEqual(['s1']);
    });

    test('closing waits for what was asked before, and then the vault is away', async () => {
      const writes = Array.from({ length: 300 }, (_, index) => vault.put(SESSIONS.name, `s${index}`, { uid: 'ana' }));
      await vault.close();
      await Promise.all(writes);
      await expect(vault.get(SESSIONS.name, 's1')).rejects.toThrow(StoreAway);
      await expect(vault.put(SESSIONS.name, 's1', {})).rejects.toThrow(StoreAway);
      await reopen();
      expect(await ids({ field: 'uid', value: 'ana' })).toHaveLength(300);
    });
  });
}
