import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type LiveTestServer, openLiveTestServer } from '../../testing/live-test-server.js';
import { Sessions } from '../auth/sessions.js';

const DAY_MS = 24 * 60 * 60_000;

let server: LiveTestServer;
/** The sessions as another process on the same vault sees them. */
let elsewhere: Sessions;

beforeEach(async () => {
  server = await openLiveTestServer({ classes: {}, kinds: () => [], messages: [], sources: [] });
  elsewhere = new Sessions(server.vault, () => server.time.now);
});
afterEach(() => server.close());

test('a session that ends in another process closes its sockets, and no others', async () => {
  const ends = await server.socket('ana');
  const [{ sessionId } = { sessionId: '' }] = await elsewhere.listOf('ana');
  const stays = [await server.socket('ana'), await server.socket('bob')];
  await elsewhere.end(sessionId);
  server.time.now += 5_000;
  await ends.disconnected();
  for (const socket of stays) expect(await socket.ask('login')).toMatchObject({ ok: true });
});

test('a session that expires closes its sockets, and no others', async () => {
  const ends = await server.socket('ana');
  server.time.now += 29 * DAY_MS;
  const stays = await server.socket('ana');
  server.time.now += 2 * DAY_MS;
  await ends.disconnected();
  expect(await stays.ask('login')).toMatchObject({ ok: true });
});
