import { expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { StoredOutbox } from './outbox';

test('files are sent one after the other, even after one that failed; texts do not wait for them', async () => {
  const begun: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const outbox = new StoredOutbox<{ readonly content: string }>('outbox-of-spec', ({ content }) => {
    begun.push(content);
    return new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve('c1'))));
  });
  const file = new File(['x'], 'a.png', { type: 'image/png' });
  outbox.start();
  outbox.send({ content: 'a.png' }, file);
  outbox.send({ content: 'b.png' }, file);
  outbox.send({ content: 'Louder' });
  await waitFor(() => expect(begun).toEqual(['Louder', 'a.png']));
  ends[1]?.(new Error('no'));
  await waitFor(() => expect(begun).toEqual(['Louder', 'a.png', 'b.png']));
  expect(outbox.getSnapshot().map(({ content, state }) => [content, state])).toEqual([
    ['a.png', 'failed'],
    ['b.png', 'sending'],
    ['Louder', 'sending'],
  ]);
  outbox.stop();
});

test('after a reload texts wait for another attempt, and files are gone', () => {
  const deliver = () => new Promise<never>(() => undefined);
  const before = new StoredOutbox<{ readonly content: string }>('outbox-of-reload', deliver);
  before.start();
  before.send({ content: 'Louder' });
  before.send({ content: 'a.png' }, new File(['x'], 'a.png'));
  const after = new StoredOutbox<{ readonly content: string }>('outbox-of-reload', deliver);
  expect(after.getSnapshot()).toMatchObject([{ content: 'Louder', state: 'failed', failure: 'Sending was interrupted.' }]);
});
