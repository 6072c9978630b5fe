import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { manualClock } from '../../testing/manual-clock.js';
import { temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import { ConnectedUsers, CONNECTED } from './connected-users.js';
import { type Here, PresenceElsewhere } from './presence-elsewhere.js';

const log = { info: () => undefined, error: () => undefined };
let kept: TemporaryVault;
beforeAll(async () => {
  kept = await temporaryVault();
});
afterAll(() => kept.remove());

test('a process without sockets knows who is connected to the others, some seconds after its start', async () => {
  const clock = manualClock();
  const web = new PresenceElsewhere(kept.vault, log);
  let here: Here = { [CONNECTED]: ['ana'] };
  await web.start({ here: () => here, moved: () => undefined });
  const connected = new ConnectedUsers(new PresenceElsewhere(kept.vault, log, { beat: 20, look: 5, dead: 3_600_000 }), { ROLES: ['reactor'] }, clock.now);
  expect(connected.settledAt).toBe(clock.now() + 15_000);
  await connected.onApplicationBootstrap();
  while (!connected.has('ana')) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(connected.has('bob')).toBe(false);
  here = {};
  web.changed();
  while (connected.has('ana')) await new Promise((resolve) => setTimeout(resolve, 2));
  await connected.onApplicationShutdown();
  await web.stop();
});
