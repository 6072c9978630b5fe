import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { ServiceUnavailable } from '../store-errors.js';
import { EventStoreDbCalls } from './eventstoredb-calls.js';
import { confirmedHead } from './eventstoredb-confirmed-head.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { EventStoreDbReads } from './eventstoredb-reads.js';
import { readOrCreateIdentity, renewIdentity } from './eventstoredb-identity.js';

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

onServer('the head is confirmed by a new event that holds the same identity, however many processes ask at once', async () => {
  const calls = EventStoreDbCalls.to(url);
  const soon = () => performance.now() + 5_000;
  const identity = await readOrCreateIdentity(calls, soon());
  const reads = new EventStoreDbReads(calls);
  const heads = await Promise.all([1, 2, 3].map(() => confirmedHead({ calls, reads, identity }, soon())));
  expect(heads).toEqual([1, 2, 3].map(() => reads.edge.newest));
  const after = await readOrCreateIdentity(calls, soon());
  expect([after.identity, after.revision]).toEqual([identity.identity, identity.revision + 3]);
  calls.close();
});

onServer('the head is not confirmed by a server without the newest events, or for a log that has another identity by now', async () => {
  const calls = EventStoreDbCalls.to(url);
  const soon = () => performance.now() + 5_000;
  const identity = await readOrCreateIdentity(calls, soon());
  const reads = new EventStoreDbReads(calls);
  await expect(reads.head(soon(), Number.MAX_SAFE_INTEGER)).rejects.toThrow(ServiceUnavailable);
  const other = { ...identity, identity: randomUUID() };
  await expect(confirmedHead({ calls, reads, identity: other }, soon())).rejects.toThrow('the log has a new identity: restart this process');
  calls.close();
});
