import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { NewEvent } from '../../kernel/event.js';
import { openTestStores, type TestStores } from '../../testing/test-stores.js';
import { ServiceUnavailable } from '../store-errors.js';
import { WrittenTypes } from './written-types.js';

let stores: TestStores;
beforeEach(async () => {
  stores = await openTestStores();
});
afterEach(() => stores.close());

/** A program that knows these types. */
const program = (version: string, ...types: string[]): Promise<WrittenTypes> =>
  WrittenTypes.open(stores.vault, { isKnown: (type) => types.includes(type), version });
const anEvent = (type: string): NewEvent => ({
  id: randomUUID(),
  type,
  data: {},
  meta: { actorUid: null, at: 1, commandId: 'k', correlationId: 'k', causationId: null },
});
const write = (types: WrittenTypes, stream: string, ...events: string[]): Promise<unknown> =>
  types.before(stores.store).append(stream, 'none', events.map(anEvent));

const REFUSAL =
  'the log was written by a newer Roughmix: 0.3.0 (1a2b3c4) wrote events of the type SongSnoozed, which this version, 0.2.0, does not know; nothing was changed. ' +
  'Start the newer version again, or restore a backup from before the update (docs/operating.md, "Going back")';

test('once a newer program has written an event that an older one does not know, the older one is refused', async () => {
  await write(await program('0.2.0', 'SongAdded'), 'one', 'SongAdded');
  const newer = await program('0.3.0 (1a2b3c4)', 'SongAdded', 'SongSnoozed');
  await write(newer, 'two', 'SongAdded', 'SongSnoozed');
  await expect(program('0.2.0', 'SongAdded')).rejects.toThrow(REFUSAL);
  await program('0.4.0', 'SongAdded', 'SongSnoozed');
});

test('a newer program that wrote nothing new is no obstacle to going back', async () => {
  const newer = await program('0.3.0', 'SongAdded', 'SongSnoozed');
  await write(newer, 'one', 'SongAdded');
  await expect(program('0.2.0', 'SongAdded')).resolves.toBeInstanceOf(WrittenTypes);
});

test('an event whose type cannot be recorded is not appended', async () => {
  const types = await program('0.2.0', 'SongAdded');
  await stores.vault.close();
  await expect(write(types, 'one', 'SongAdded')).rejects.toThrow(ServiceUnavailable);
  expect(await stores.store.readAll({ after: 0 })).toEqual([]);
});

test('a type is recorded once, by the version that wrote it first', async () => {
  const types = await program('0.2.0', 'SongAdded');
  await write(types, 'one', 'SongAdded', 'SongAdded');
  await write(await program('0.3.0', 'SongAdded'), 'two', 'SongAdded');
  expect((await stores.vault.find('written-types', {})).map(({ id, body }) => [id, body])).toEqual([['SongAdded', { version: '0.2.0' }]]);
});
