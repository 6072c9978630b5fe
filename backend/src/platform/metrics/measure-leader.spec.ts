import { expect, test } from '@jest/globals';
import { measureLeader } from './measure-leader.js';
import { Metrics } from './metrics.js';

test('counts changes of the leader, and measures the time without one', async () => {
  const metrics = new Metrics({ version: 'spec', commit: null });
  const values = async () => [await metrics.leaderChanges.get(), await metrics.withoutLeader.get()].map(({ values: [first] }) => first?.value);
  const report = measureLeader(metrics);
  expect(await values()).toEqual([0, 0]);
  report.onNoLeader?.('no node leads');
  const began = performance.now();
  report.onNoLeader?.('another reason');
  while (performance.now() === began) await new Promise((resolve) => setImmediate(resolve));
  const [changes, seconds] = await values();
  expect([changes, Number(seconds) > 0]).toEqual([0, true]);
  report.onLeader?.({ node: 'one:2113', isAnother: false, ms: 1 });
  expect(await values()).toEqual([0, 0]);
  report.onLeader?.({ node: 'two:2113', isAnother: true, ms: 1 });
  expect(await values()).toEqual([1, 0]);
});
