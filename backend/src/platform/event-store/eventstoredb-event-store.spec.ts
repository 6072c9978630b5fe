import { describe } from '@jest/globals';
import { eventStoreContract } from './event-store.contract.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';

const url = process.env['EVENTSTORE_URL'] ?? '';

(url === '' ? describe.skip : describe)('on EVENTSTORE_URL', () => {
  eventStoreContract('EventStoreDB', async () => {
    const open = (): Promise<EventStoreDbEventStore> => EventStoreDbEventStore.open({ url, onTrouble: () => undefined });
    let store = await open();
    return {
      store,
      async reopen() {
        await store.close();
        store = await open();
        return store;
      },
      dispose: () => store.close(),
    };
  });
});
