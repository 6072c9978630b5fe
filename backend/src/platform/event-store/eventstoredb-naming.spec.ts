import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { renewIdentity } from './eventstoredb-naming.js';

const url = process.env['EVENTSTORE_URL'] ?? '';

/** Against the server at EVENTSTORE_URL. */
const onServer = url === '' ? test.skip : test;

onServer('the newest naming counts, written once however often it is asked for, and takes nothing from who has the log open', async () => {
  const open = () => EventStoreDbEventStore.open({ url, onTrouble: () => undefined });
  const before = await open();
  // The same identity: other specs have this log open too.
  const naming = { id: randomUUID(), identity: before.identity };
  await renewIdentity(url, naming);
  await renewIdentity(url, naming);
  const after = await open();
  expect(after.identity).toBe(before.identity);
  await after.check();
  await before.check();
  await before.close();
  await after.close();
});
