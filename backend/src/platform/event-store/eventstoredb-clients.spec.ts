import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { EventStoreDbClients } from './eventstoredb-clients.js';

const URL = 'esdb://127.0.0.1:1?tls=false';

const failing =
  (type: string) =>
  (clients: EventStoreDbClients): Promise<unknown> =>
    clients.use(() => Promise.reject(Object.assign(new Error('reported by the server'), { type }))).catch(() => undefined);

test('a client that lost its connection is replaced; one redirected to a new leader is kept', async () => {
  const [elected, lost] = [new EventStoreDbClients(URL), new EventStoreDbClients(URL)];
  const [first, other] = [elected.current, lost.current];
  // A client is not replaced right after it was made; once the younger one is old enough, so is the older one.
  while (lost.current === other) {
    await failing('unavailable')(lost);
    await turn();
  }
  await failing('not-leader')(elected);
  // Compared here because printing a client makes it call the server.
  expect(elected.current === first).toBe(true);
  await failing('unavailable')(elected);
  expect(elected.current === first).toBe(false);
  await Promise.all([elected.close(), lost.close()]);
});
