import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type DocumentStore, type DocumentWrite, Fenced } from './documents.js';
import { type DocumentStoreFixture, region, REGIONS } from '../../testing/document-store-fixture.js';

/** What several stores on the same storage promise. */
export function sharing(given: DocumentStoreFixture): void {
  describe('several stores on the same storage', () => {
    let other: DocumentStore;
    const by = (which: DocumentStore, checkpoint: number, ...writes: DocumentWrite[]) => which.save({ projector: 'regions', checkpoint, writes });
    beforeEach(async () => {
      other = await given.openAnother();
    });
    afterEach(() => other.close());

    test('of concurrent writes to a document the one with the newest position wins, removals included', async () => {
      for (let round = 0; round < 30; round += 1) {
        const keys = Array.from({ length: 8 }, (_, index) => ({ collection: REGIONS.name, id: `r${round}-${index}` }));
        const writes = (position: number) => keys.map(({ id }, index) => region(id, position, (position + index) % 3 === 0 ? null : { at: position }));
        const first = round * 10 + 1;
        const positions = [first + 3, first, first + 5, first + 1, first + 4, first + 2];
        await Promise.all(positions.map((position, index) => by(index % 2 === 0 ? given.store : other, position, ...writes(position))));
        const last = writes(first + 5).map(({ body, position }) => ({ body, position }));
        expect(await given.store.load(keys)).toEqual(last);
        expect(await other.load(keys)).toEqual(last);
        expect(await other.checkpoint('regions')).toBe(first + 5);
      }
    });

    test('documents saved by one store are read and found by the other', async () => {
      for (let position = 1; position <= 20; position += 1) {
        const [writer, reader] = position % 2 === 0 ? [given.store, other] : [other, given.store];
        await by(writer, position, region('r1', position, { projectId: `p${position}` }));
        expect(await reader.checkpoint('regions')).toBe(position);
        expect(await reader.get(REGIONS.name, 'r1')).toEqual({ projectId: `p${position}` });
        expect(await reader.find(REGIONS.name, { where: { field: 'projectId', value: `p${position}` } })).toHaveLength(1);
      }
    });

    test('a late save by a former lease holder sets no document or checkpoint back', async () => {
      await by(other, 9, region('r1', 9, { by: 'other' }), region('r2', 8, null));
      await by(given.store, 5, region('r1', 5, { by: 'late' }), region('r2', 4, { by: 'late' }), region('r3', 3, { by: 'late' }));
      expect(await other.checkpoint('regions')).toBe(9);
      expect([await other.get(REGIONS.name, 'r1'), await other.get(REGIONS.name, 'r2')]).toEqual([{ by: 'other' }, null]);
    });

    test('of concurrent fenced writes the highest fence wins, and the lower one fails or came first', async () => {
      for (let round = 0; round < 20; round += 1) {
        const written = [given.store, other].map((which, index) => which.setFact('served', `${round} by ${index}`, { fence: round * 2 + index }));
        const [low, high] = await Promise.allSettled(written);
        expect(high?.status).toBe('fulfilled');
        expect(low?.status === 'rejected' ? low.reason : new Fenced()).toBeInstanceOf(Fenced);
        expect(await given.store.fact('served')).toBe(`${round} by 1`);
        await expect(given.store.setFact('served', 'late', { fence: round * 2 })).rejects.toThrow(Fenced);
      }
    });

    test('after a fenced read of a fact, even a missing one, no former lease holder can write it', async () => {
      await given.store.setFact('plan', 'first', { fence: 1 });
      expect(await other.takeFact('plan', { fence: 2 })).toBe('first');
      await expect(given.store.setFact('plan', 'late', { fence: 1 })).rejects.toThrow(Fenced);
      await expect(given.store.takeFact('plan', { fence: 1 })).rejects.toThrow(Fenced);
      expect(await given.store.fact('plan')).toBe('first');
      expect(await other.takeFact('empty', { fence: 2 })).toBeNull();
      await expect(given.store.setFact('empty', 'late', { fence: 1 })).rejects.toThrow(Fenced);
      expect(await given.store.fact('empty')).toBeNull();
    });

    test('a collection recreated by a late save after its drop is listed, so it can be dropped again', async () => {
      await by(given.store, 1, region('r1', 1, { projectId: 'p' }));
      await given.store.drop(REGIONS.name, 'regions');
      expect(await given.store.collections()).toEqual([]);
      await by(other, 2, region('r2', 2, { projectId: 'p' }));
      expect(await given.store.collections()).toEqual([REGIONS.name]);
      await given.store.drop(REGIONS.name);
      expect(await given.store.collections()).toEqual([]);
      expect(await other.get(REGIONS.name, 'r2')).toBeNull();
    });
  });
}
