import { afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { OfflineError } from '../api/api-errors';
import type { SendOptions } from '../api/client';
import { Toasts } from '../ui/toasts';
import { UNDO_MS } from './pending-removals';
import { RemovalsProvider, usePendingRemovals, useRemovedIds } from './removals-provider';
import '../../testing/surfaces';

type Options = Pick<SendOptions, 'keepalive'>;

function Items({ send, onUndone }: { readonly send: (options: Options) => Promise<void>; readonly onUndone: () => void }) {
  const removals = usePendingRemovals();
  const removed = useRemovedIds();
  return (
    <>
      {['a', 'b'].map(
        (id) =>
          !removed.has(id) && (
            <button
              key={id}
              type="button"
              onClick={() => removals.remove({ id, done: `Item ${id} removed.`, failed: `Item ${id} was not removed.`, send, onUndone })}
            >
              Remove {id}
            </button>
          ),
      )}
    </>
  );
}

let answered: { readonly options: Options; readonly resolve: () => void; readonly reject: (error: Error) => void }[];
let undone: number;

function open() {
  answered = [];
  undone = 0;
  const send = (options: Options) => new Promise<void>((resolve, reject) => void answered.push({ options, resolve, reject }));
  render(
    <Toasts>
      <RemovalsProvider>
        <Items send={send} onUndone={() => (undone += 1)} />
      </RemovalsProvider>
    </Toasts>,
  );
}

const items = () => screen.queryAllByRole('button', { name: /^Remove / }).map(({ textContent }) => textContent);
const remove = (id: string) => fireEvent.click(screen.getByRole('button', { name: `Remove ${id}` }));
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const answer = (settle: (sent: (typeof answered)[number]) => void) =>
  act(async () => {
    const sent = answered.shift();
    if (sent === undefined) throw new Error('nothing was sent');
    settle(sent);
    await jest.advanceTimersByTimeAsync(0);
  });

beforeAll(async () => {
  // The list of toasts is loaded with the first one.
  open();
  remove('a');
  await screen.findByText('Item a removed.');
  cleanup();
});
beforeEach(() => {
  jest.useFakeTimers();
  open();
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

test('a removed item disappears at once and is removed on the server after five seconds', async () => {
  remove('a');
  expect(items()).toEqual(['Remove b']);
  await pass(UNDO_MS - 1);
  expect(answered).toHaveLength(0);

  await pass(1);
  expect(answered.map(({ options }) => options)).toEqual([{}]);
  expect(items()).toEqual(['Remove b']);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('Undo shows the item again and sends nothing', async () => {
  remove('a');
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect([items(), undone]).toEqual([['Remove a', 'Remove b'], 1]);
  await pass(60_000);
  expect(answered).toHaveLength(0);
});

test('a removal can be undone as long as its message is hovered', async () => {
  remove('a');
  fireEvent.pointerEnter(screen.getByRole('list'));
  await pass(60_000);
  expect(answered).toHaveLength(0);

  fireEvent.pointerLeave(screen.getByRole('list'));
  await pass(UNDO_MS);
  expect(answered).toHaveLength(1);
});

test('dismissing the message sends the removal', async () => {
  remove('a');
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await pass(0);
  expect(answered).toHaveLength(1);
});

test('a removal that fails shows the item again, with a Retry', async () => {
  remove('a');
  await pass(UNDO_MS);
  await answer(({ reject }) => reject(new OfflineError(null)));
  expect(items()).toEqual(['Remove a', 'Remove b']);
  expect(screen.getByText(/^Item a was not removed\./)).toBeInTheDocument();

  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await pass(0);
  expect([answered.length, items()]).toEqual([1, ['Remove b']]);
});

test('closing the page sends the waiting removals, in requests that outlive the page', async () => {
  remove('a');
  remove('b');
  fireEvent(window, new Event('pagehide'));
  await pass(0);
  expect(answered.map(({ options }) => options)).toEqual([{ keepalive: true }, { keepalive: true }]);
  await pass(60_000);
  expect(answered).toHaveLength(2);
});
