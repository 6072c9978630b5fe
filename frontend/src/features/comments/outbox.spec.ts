import { expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { outboxOf, type Wish } from './outbox';

const image: Wish = { kind: 'image', parentId: null, content: 'a.png', versionId: null, stamp: null, region: null };
const file = new File(['x'], 'a.png', { type: 'image/png' });

test('images go one after the other, also behind one that failed; words go beside them', async () => {
  const outbox = outboxOf('ana', 'p1');
  const begun: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  outbox.deliverBy(({ content }) => {
    begun.push(content);
    return new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve('c1'))));
  });
  outbox.send({ ...image, content: 'a.png' }, file);
  outbox.send({ ...image, content: 'b.png' }, file);
  outbox.send({ ...image, kind: 'text', content: 'Louder' });
  await waitFor(() => expect(begun).toEqual(['Louder', 'a.png']));
  ends[1]?.(new Error('no'));
  await waitFor(() => expect(begun).toEqual(['Louder', 'a.png', 'b.png']));
  expect(outbox.getSnapshot().map(({ content, state }) => [content, state])).toEqual([
    ['a.png', 'failed'],
    ['b.png', 'sending'],
    ['Louder', 'sending'],
  ]);
});
