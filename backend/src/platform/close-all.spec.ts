import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Close, closeAfterFailure, closeAll } from './close-all.js';

let did: string[];
const log = { error: ({ err }: { readonly err?: unknown }, message: string): void => void did.push(`${message}: ${String(err)}`) };
const closes =
  (name: string): Close =>
  async () => {
    await Promise.resolve();
    did.push(name);
  };
const fails =
  (name: string): Close =>
  () =>
    Promise.reject(new Error(name));
const throws: Close = () => {
  throw new Error('at once');
};

beforeEach(() => {
  did = [];
});

describe('closing several parts', () => {
  const parts = [closes('one'), fails('two'), () => undefined, throws, closes('three')];
  const steps = [
    'one',
    'a part of the program could not be closed, closing the others: Error: two',
    'a part of the program could not be closed, closing the others: Error: at once',
    'three',
  ];

  test('closes all in order, then throws the first failure', async () => {
    await expect(closeAll(parts, log)).rejects.toThrow('two');
    expect(did).toEqual(steps);
  });

  test('after another error throws none', async () => {
    await closeAfterFailure(parts, log);
    expect(did).toEqual(steps);
  });
});
