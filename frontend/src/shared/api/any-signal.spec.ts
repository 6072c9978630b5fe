import { afterEach, describe, expect, test } from '@jest/globals';
import { anySignal } from './any-signal';

const native = Object.getOwnPropertyDescriptor(AbortSignal, 'any');
afterEach(() => {
  if (native) Object.defineProperty(AbortSignal, 'any', native);
});

describe.each([
  ['with the function of the browser', true],
  ['in a browser without it', false],
])('%s', (_where, isThere) => {
  const combined = (...signals: readonly AbortSignal[]) => {
    if (!isThere) Reflect.deleteProperty(AbortSignal, 'any');
    return anySignal(signals);
  };

  test('the signal aborts with the first of its signals, and its reason', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const signal = combined(one.signal, other.signal);
    expect(signal.aborted).toBe(false);
    other.abort('the other');
    one.abort('one');
    expect([signal.aborted, signal.reason]).toEqual([true, 'the other']);
  });

  test('it is aborted at once if one of them is', () => {
    const signal = combined(new AbortController().signal, AbortSignal.abort('before'));
    expect([signal.aborted, signal.reason]).toEqual([true, 'before']);
  });
});
