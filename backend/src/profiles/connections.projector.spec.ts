import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectStream, type ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import { userStream, type UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { type Documents, foldedBy } from '../testing/projected-documents.js';
import { storedEvent } from '../testing/stored-event.js';
import { openTestStores, type TestStores } from '../testing/test-stores.js';
import { connectionsProjector } from './connections.projector.js';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

const at = (position: number, actorUid: string | null, stream: string) => ({ stream, revision: position, position, at: position * 1_000, actorUid });
const follows = (uid: string, otherUid: string, position: number) =>
  storedEvent<UserStreamEvent>({ type: 'UserFollowed', data: { uid, otherUid } }, at(position, uid, userStream(uid)));
const unfollows = (uid: string, otherUid: string, position: number) =>
  storedEvent<UserStreamEvent>({ type: 'UserUnfollowed', data: { uid, otherUid } }, at(position, uid, userStream(uid)));
const erased = (uid: string, position: number) => storedEvent<UserStreamEvent>({ type: 'UserErased', data: { uid } }, at(position, null, userStream(uid)));
function created(projectId: string, ownerUid: string, position: number, pending: readonly string[] = []) {
  const texts = { firstVersionId: 'v1', projectName: 'P', description: '', tinySummary: '', message: '' };
  const data = { projectId, ownerUid, ...texts, invited: grants(pending) };
  return storedEvent<ProjectStreamEvent>({ type: 'ProjectCreated', data }, at(position, ownerUid, projectStream(projectId)));
}
const invites = (projectId: string, by: string, uids: readonly string[], position: number) =>
  storedEvent<ProjectStreamEvent>({ type: 'ProjectUsersInvited', data: { invited: grants(uids), message: '' } }, at(position, by, projectStream(projectId)));
const grants = (uids: readonly string[]) => uids.map((uid) => ({ uid, access: 1 as const, write: false }));

/** The documents after the events, each delivered twice. */
const folded = (...events: readonly StoredEvent[]): Promise<Documents> => foldedBy(stores, connectionsProjector, [...events, ...events]);
/** Whose connections are whose, with the seconds since when. */
async function connected(...events: readonly StoredEvent[]): Promise<Record<string, Record<string, number>>> {
  const documents = Object.entries(await folded(...events));
  return Object.fromEntries(
    documents.flatMap(([name, body]) => (name.startsWith('connections/') && body !== null ? [[name.slice(12), body.since as Record<string, number>]] : [])),
  );
}

test('following is one-sided', async () => {
  expect(await folded(follows('ana', 'bob', 2))).toEqual({
    'connections/ana': { uid: 'ana', since: { bob: 2_000 }, uids: ['bob'], byInvitation: [], elsewhere: null, position: 2 },
  });
});

test('unfollowing takes out the own side only, and the later event wins', async () => {
  expect(await connected(follows('ana', 'bob', 1), follows('bob', 'ana', 2), unfollows('ana', 'bob', 3))).toEqual({ ana: {}, bob: { ana: 2_000 } });
  expect(await connected(follows('ana', 'bob', 1), unfollows('ana', 'bob', 2), follows('ana', 'bob', 3))).toEqual({ ana: { bob: 3_000 } });
});

test('an invitation connects its sender with each invited user, not these with each other', async () => {
  const documents = await folded(created('p1', 'ana', 1, ['cleo']), invites('p1', 'ana', ['bob', 'cleo'], 2));
  const elsewhere = { stream: 'project-p1', position: 2 };
  expect(documents).toEqual({
    'acquaintances/p1': { uids: ['ana', 'bob', 'cleo'] },
    'connections/ana': { uid: 'ana', since: { bob: 2_000, cleo: 2_000 }, uids: ['bob', 'cleo'], byInvitation: ['bob', 'cleo'], elsewhere, position: 2 },
    'connections/bob': { uid: 'bob', since: { ana: 2_000 }, uids: ['ana'], byInvitation: ['ana'], elsewhere, position: 2 },
    'connections/cleo': { uid: 'cleo', since: { ana: 2_000 }, uids: ['ana'], byInvitation: ['ana'], elsewhere, position: 2 },
  });
});

test('an invitation that has not taken effect connects nobody', async () => {
  expect(await connected(created('p1', 'ana', 1, ['bob']))).toEqual({});
});

test.each([
  ['who invited', 'ana', 'bob'],
  ['who was invited', 'bob', 'ana'],
])('the one %s ends the connection on both sides, and it stays ended', async (_who, one, other) => {
  const events = [created('p1', 'ana', 1), invites('p1', 'ana', ['bob', 'cleo'], 2), unfollows(one, other, 3)];
  const documents = await folded(...events);
  expect(documents[`connections/${one}`]).toMatchObject({ position: 3, elsewhere: { stream: 'project-p1', position: 2 } });
  expect(documents[`connections/${other}`]).toMatchObject({ position: 3, elsewhere: { stream: `user-${one}`, position: 3 } });
  expect(await connected(...events)).toEqual({ ana: { cleo: 2_000 }, bob: {}, cleo: { ana: 2_000 } });
});

test('after that, following is one-sided again', async () => {
  const events = [created('p1', 'ana', 1), invites('p1', 'ana', ['bob'], 2), unfollows('bob', 'ana', 3), follows('ana', 'bob', 4), follows('bob', 'ana', 5)];
  expect(await connected(...events)).toEqual({ ana: { bob: 4_000 }, bob: { ana: 5_000 } });
  expect(await connected(...events, unfollows('bob', 'ana', 6))).toEqual({ ana: { bob: 4_000 }, bob: {} });
});

test('an invitation makes a connection of one who followed before mutual, and it ends for both', async () => {
  const events = [follows('ana', 'bob', 1), created('p1', 'ana', 2), invites('p1', 'ana', ['bob'], 3)];
  expect(await connected(...events, unfollows('bob', 'ana', 4))).toEqual({ ana: {}, bob: {} });
});

test('a later invitation connects both again, and counts as the newest', async () => {
  const events = [created('p1', 'ana', 1), invites('p1', 'ana', ['bob'], 2), unfollows('ana', 'bob', 3), created('p2', 'ana', 4)];
  expect(await connected(...events)).toEqual({ ana: {}, bob: {} });
  expect(await connected(...events, invites('p2', 'ana', ['bob'], 5))).toEqual({ ana: { bob: 5_000 }, bob: { ana: 5_000 } });
});

test('an erased user has no connections and is in nobody else’s, even if a late event names them', async () => {
  const events = [created('p1', 'ana', 1), follows('ana', 'bob', 2), follows('bob', 'ana', 3), follows('cleo', 'bob', 4), erased('bob', 5)];
  expect(await connected(...events)).toEqual({ ana: {}, cleo: {} });
  expect(await connected(...events, follows('ana', 'bob', 6), invites('p1', 'ana', ['bob', 'cleo'], 7))).toEqual({
    ana: { cleo: 7_000 },
    cleo: { ana: 7_000 },
  });
  expect(await connected(created('p1', 'ana', 1), erased('ana', 2), invites('p1', 'ana', ['bob'], 3))).toEqual({});
});

test('an erasure concerns those connected on either side, and everyone who was ever in a project with them', async () => {
  const documents = await folded(
    created('p1', 'ana', 1),
    invites('p1', 'ana', ['bob', 'cleo'], 2),
    created('p2', 'dora', 3),
    follows('bob', 'emil', 4),
    follows('fay', 'bob', 5),
    erased('bob', 6),
  );
  expect(documents['erased-people/bob']).toEqual({ uid: 'bob', audience: ['ana', 'cleo', 'emil', 'fay'], position: 6 });
});
