import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedEventStore } from './embedded-event-store.js';
import { eventStoreContract } from './event-store.contract.js';

// More than any group of its writer holds.
eventStoreContract('embedded', { atOnce: 3_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-log-'));
  const file = join(folder, 'log.db');
  let store = await EmbeddedEventStore.open({ file });
  return {
    store,
    async reopen() {
      await store.close();
      store = await EmbeddedEventStore.open({ file });
      return store;
    },
    async dispose() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
});
