import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventStoreContract } from './event-store.contract.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';

const url = process.env['EVENTSTORE_URL'] ?? '';

/** Accepts connections and never answers. */
async function silentNode() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await once(server.close(), 'close');
  };
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

(url === '' ? describe.skip : describe)('on EVENTSTORE_URL', () => {
  test('of the listed nodes of a cluster, some may be silent', async () => {
    const silent = await Promise.all([silentNode(), silentNode()]);
    const hosts = silent.map(({ host }) => host).join();
    const store = await EventStoreDbEventStore.open({ url: url.replace(/:\/\/(?:[^@/]*@)?/, `$&${hosts},`), onTrouble: () => undefined });
    await expect(store.check()).resolves.toBeUndefined();
    await store.close();
    for (const { close } of silent) await close();
  });

  eventStoreContract('EventStoreDB', { atOnce: 1_000 }, async () => {
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
