import { afterEach, expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { useDraft } from './drafts';
import { readStored, removeStored, writeStored } from './tab-storage';

afterEach(() => {
  jest.restoreAllMocks();
  sessionStorage.clear();
});

const full = () => {
  throw new DOMException('full', 'QuotaExceededError');
};

test('a draft that the browser cannot store lasts as long as the page, without a message', () => {
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(full);
  const { result } = renderHook(() => useDraft('roughmix.draft.ana.p1', { text: '' }));
  act(() => result.current[1]({ text: 'Louder' }));
  expect(result.current[0]).toEqual({ text: 'Louder' });
  expect(readStored('roughmix.draft.ana.p1')).toBeNull();
});

test('where storage is blocked there is nothing to read or remove', () => {
  for (const method of ['getItem', 'setItem', 'removeItem'] as const) jest.spyOn(Storage.prototype, method).mockImplementation(full);
  writeStored('roughmix.draft.ana.p1', null);
  removeStored(null);
  expect(readStored('roughmix.draft.ana.p1')).toBeNull();
});
