import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { EventStoreDbClients } from './eventstoredb-clients.js';

const URL = 'esdb://127.0.0.1:1?tls=false';

const failing =
  (type: string) =>
  (clients: EventStoreDbClients): Promise<unknown> =>
    clients.use(() => Promise.reject(Object.assign(new Error('told by the server'), { type }))).catch(() => undefined);

test('a client that lost its connection is given up for another; one that was told who leads goes there by itself and is kept', async () => {
  const [elected, lost] = [new EventStoreDbClients(URL), new EventStoreDbClients(URL)];
  const [first, other] = [elected.current, lost.current];
  // A moment after it was made no client is given up: when the younger is, the older could be.
  while (lost.current === other) {
    await failing('unavailable')(lost);
    await turn();
  }
  await failing('not-leader')(elected);
  // Compared here: whoever prints a client makes it ask the server.
  expect(elected.current === first).toBe(true);
  await failing('unavailable')(elected);
  expect(elected.current === first).toBe(false);
  await Promise.all([elected.close(), lost.close()]);
});
