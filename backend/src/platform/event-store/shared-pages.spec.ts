import { beforeEach, expect, test } from '@jest/globals';
import { storedEvent } from '../../testing/stored-event.js';
import { SharedPages } from './shared-pages.js';
import { follow, Wakeups } from './subscription.js';

let wakeups: Wakeups;
let head: number;
let reads: string[];
let pages: SharedPages;
beforeEach(() => {
  wakeups = new Wakeups();
  head = 0;
  reads = [];
  pages = new SharedPages(wakeups, (after, limit) => {
    reads.push(`${after} ${limit}`);
    const count = Math.min(limit, head - after);
    return Array.from({ length: count }, (_, at) =>
      storedEvent({ type: 'Said', data: {} }, { stream: 'talk', revision: after + at, position: after + at + 1 }),
    );
  });
});

test('what all followers read after a commit is read once, and so is the end after it', async () => {
  const signal = new AbortController().signal;
  const followers = Array.from({ length: 20 }, () => follow({ after: 0, signal, wakeups, read: (after) => pages.page(after, 200) }));
  const positionsOf = async (): Promise<readonly unknown[]> => Promise.all(followers.map(async (each) => (await each.next()).value?.at(-1)?.position));
  const first = positionsOf();
  expect(reads).toEqual(['0 200']);
  for (const commit of [1, 2]) {
    const seen = commit === 1 ? first : positionsOf();
    await new Promise(setImmediate);
    reads.length = 0;
    head = commit;
    wakeups.wake();
    expect(await seen).toEqual(Array.from({ length: 20 }, () => commit));
    expect(reads).toEqual([`${commit - 1} 200`]);
  }
});

test('followers that catch up keep no more than four pages', () => {
  head = 100;
  for (let after = 0; after < 50; after += 10) pages.page(after, 10);
  pages.page(40, 10);
  pages.page(10, 10);
  expect(reads).toEqual(['0 10', '10 10', '20 10', '30 10', '40 10']);
  pages.page(0, 10);
  expect(reads).toHaveLength(6);
});
