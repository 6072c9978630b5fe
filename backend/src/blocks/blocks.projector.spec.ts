import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { userStream, type UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { type Documents, foldedBy } from '../testing/projected-documents.js';
import { storedEvent } from '../testing/stored-event.js';
import { openTestStores, type TestStores } from '../testing/test-stores.js';
import { blocksProjector } from './blocks.projector.js';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

const event = (type: 'UserBlocked' | 'UserUnblocked', uid: string, otherUid: string, position: number) =>
  storedEvent<UserStreamEvent>({ type, data: { uid, otherUid } }, { stream: userStream(uid), revision: position, position, actorUid: uid });
const erased = (uid: string, position: number) =>
  storedEvent<UserStreamEvent>({ type: 'UserErased', data: { uid } }, { stream: userStream(uid), revision: position, position });

/** The documents after the events, each delivered twice. */
const folded = (...events: readonly StoredEvent[]): Promise<Documents> => foldedBy(stores, blocksProjector, [...events, ...events]);

test('a block is one-sided and can be removed', async () => {
  const blocks = [event('UserBlocked', 'ana', 'bob', 1), event('UserBlocked', 'ana', 'cleo', 2)];
  expect(await folded(...blocks)).toEqual({ 'blocks/ana': { uid: 'ana', uids: ['bob', 'cleo'], position: 2 } });
  expect(await folded(...blocks, event('UserUnblocked', 'ana', 'bob', 3))).toEqual({ 'blocks/ana': { uid: 'ana', uids: ['cleo'], position: 3 } });
});

test('an erased user blocks nobody, and nobody blocks them', async () => {
  const blocks = [event('UserBlocked', 'ana', 'bob', 1), event('UserBlocked', 'bob', 'ana', 2), event('UserBlocked', 'cleo', 'ana', 3)];
  expect(await folded(...blocks, erased('bob', 4))).toEqual({
    'blocks/ana': { uid: 'ana', uids: [], position: 4 },
    'blocks/bob': null,
    'blocks/cleo': { uid: 'cleo', uids: ['ana'], position: 3 },
  });
});
