import { expect, test } from '@jest/globals';
import { Rendering } from './rendering.js';

test('closing ends the rendering: unfinished versions fail', async () => {
  const orders = (['1.0', '1.1', '2.0'] as const).map((mix) => ({ song: 'nine-volt', mix, seconds: Number.POSITIVE_INFINITY }) as const);
  const rendering = new Rendering(orders);
  const files = Promise.allSettled(orders.map((order) => rendering.take(order)));
  await rendering.close();
  expect(await files).toMatchObject(orders.map(() => ({ status: 'rejected', reason: { name: 'AbortError' } })));
});
