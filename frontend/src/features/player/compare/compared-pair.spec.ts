import { describe, expect, test } from '@jest/globals';
import { nextPair, type PairInput, selectedFirst, withOther } from './compared-pair';

const versionIds = ['v1', 'v2', 'v3', 'v4'];
const pairFor = (...selections: readonly string[]) => selections.reduce<ReturnType<typeof nextPair>>((pair, selectedId) => next(pair, selectedId), null);
const next = (pair: ReturnType<typeof nextPair>, selectedId: string, changes: Partial<PairInput> = {}) =>
  nextPair(pair, { versionIds, selectedId, isShown: false, ...changes });

describe('the compared pair', () => {
  test('starts with the selected version and the one before it; for the first version, the one after it', () => {
    expect(pairFor('v3')).toEqual({ ids: ['v3', 'v2'], at: 0 });
    expect(pairFor('v1')).toEqual({ ids: ['v1', 'v2'], at: 0 });
  });

  test('exists only if two versions can be played', () => {
    expect(next(null, 'v1', { versionIds: ['v1'] })).toBeNull();
    expect(next(null, 'rejected')).toBeNull();
  });

  test('keeps its order when the other one is selected', () => {
    expect(pairFor('v3', 'v2')).toEqual({ ids: ['v3', 'v2'], at: 1 });
    expect(pairFor('v3', 'v2', 'v3')).toEqual({ ids: ['v3', 'v2'], at: 0 });
  });

  test("a third version is compared with the one before it; while both are shown, it takes that one's place", () => {
    expect(pairFor('v3', 'v1')).toEqual({ ids: ['v1', 'v3'], at: 0 });
    expect(next(pairFor('v3', 'v2'), 'v4', { isShown: true })).toEqual({ ids: ['v3', 'v4'], at: 1 });
  });

  test('a removed version is replaced by a neighbour of the selected one', () => {
    expect(next(pairFor('v3', 'v1'), 'v1', { versionIds: ['v1', 'v2', 'v4'] })).toEqual({ ids: ['v1', 'v2'], at: 0 });
  });

  test('shows the selected version first, and another one beside it', () => {
    const pair = { ids: ['v3', 'v2'], at: 1 } as const;
    expect(selectedFirst(pair)).toEqual({ ids: ['v2', 'v3'], at: 0 });
    expect(withOther(pair, 'v4')).toEqual({ ids: ['v4', 'v2'], at: 1 });
  });
});
