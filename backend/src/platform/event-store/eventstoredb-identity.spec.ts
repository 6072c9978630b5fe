import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { renewIdentity } from './eventstoredb-identity.js';

const url = process.env['EVENTSTORE_URL'] ?? '';

/** Against the server at EVENTSTORE_URL. */
const onServer = url === '' ? test.skip : test;

onServer('a new identity is written once however often it is requested, and processes that have the log open keep working', async () => {
  const open = () => EventStoreDbEventStore.open({ url, onTrouble: () => undefined });
  const before = await open();
  // Keeps the identity value, because other specs have this log open.
  const identity = { id: randomUUID(), identity: before.identity };
  await renewIdentity(url, identity);
  await renewIdentity(url, identity);
  const after = await open();
  expect(after.identity).toBe(before.identity);
  await after.check();
  await before.check();
  await before.close();
  await after.close();
});
