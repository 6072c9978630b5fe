import { expect, test } from '@jest/globals';
import { QueueLoop } from './queue-loop.js';

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

test('a loop that starts again begins no round before the one that outlasted the stop has ended', async () => {
  const steps: string[] = [];
  let endDelivery: () => void = () => undefined;
  const delivery = new Promise<void>((resolve) => (endDelivery = resolve));
  let rounds = 0;
  const loop = new QueueLoop({
    pollMs: 60_000,
    onWork: () => () => undefined,
    onFailure: (error) => steps.push(String(error)),
    round: async () => {
      const round = (rounds += 1);
      steps.push(`round ${round} begins`);
      if (round === 1) await delivery;
      steps.push(`round ${round} ends`);
    },
  });
  await loop.start();
  await until(() => steps.length === 1);
  await loop.stop();
  await loop.start();
  // A second round would begin now if it did not wait.
  await new Promise((resolve) => setImmediate(resolve));
  endDelivery();
  await until(() => steps.includes('round 2 ends'));
  await loop.stop();
  expect(steps).toEqual(['round 1 begins', 'round 1 ends', 'round 2 begins', 'round 2 ends']);
});
