import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import type { StoredEvent } from '../kernel/event.js';
import { type Documents, foldedBy } from '../testing/projected-documents.js';
import { aProject } from '../testing/project-history.js';
import { storedEvent } from '../testing/stored-event.js';
import { openTestStores, type TestStores } from '../testing/test-stores.js';
import { notesProjector } from './notes.projector.js';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

const folded = (events: readonly StoredEvent[]): Promise<Documents> => foldedBy(stores, notesProjector, events);
const noted = aProject().ownedBy('ana').withNote('Tune the snare').withPrivateNote('Ask Bob').withNote('First: ').withPrivateNote('Ask Carl', 'Ask Bob');
const erased = (uid: string): StoredEvent =>
  storedEvent({ type: 'UserErased', data: { uid } }, { stream: `user-${uid}`, revision: 1, position: noted.events.length + 1 });

const publicNote = { projectId: 'p1', text: 'First: Tune the snare', hash: sha256('First: '), position: 4 };
const privateNote = { projectId: 'p1', ownerUid: 'ana', text: 'Ask Carl', hash: sha256('Ask Carl'), position: 5 };

test('each note is its current text with the hash that was saved', async () => {
  expect(await folded(noted.events)).toEqual({ 'public-notes/p1': publicNote, 'private-notes/p1/ana': privateNote });
});

test('an erased owner loses the private notes; the public one stays', async () => {
  expect(await folded([...noted.events, erased('ana')])).toEqual({ 'public-notes/p1': publicNote, 'private-notes/p1/ana': null });
  expect(await folded([...noted.events, erased('bob')])).toEqual({ 'public-notes/p1': publicNote, 'private-notes/p1/ana': privateNote });
});

test('a private note whose key was destroyed opens as an empty text, and is removed all the same', async () => {
  const opened = noted.events.map((event) => (event.type === 'PrivateNoteEdited' ? { ...event, data: { ...event.data, inserted: '', hash: '' } } : event));
  expect(await folded([...opened, erased('ana')])).toEqual({ 'public-notes/p1': publicNote, 'private-notes/p1/ana': null });
});

test('a new owner has a private note of their own', async () => {
  const takenOver = noted.and({ type: 'ProjectTakenOver', data: { from: 'ana', to: 'bob' } }, 'bob');
  const data = { ownerUid: 'bob', at: 0, removed: 0, inserted: 'Mine', hash: sha256('Mine') };
  const documents = await folded(takenOver.and({ type: 'PrivateNoteEdited', data }, 'bob').events);
  expect(documents['private-notes/p1/bob']).toEqual({ projectId: 'p1', ownerUid: 'bob', text: 'Mine', hash: sha256('Mine'), position: 7 });
});

test('purging a project removes both its notes', async () => {
  const removed = noted.and({ type: 'ProjectRemoved', data: { abandoned: false } });
  expect((await folded(removed.events))['public-notes/p1']).toEqual(publicNote);
  const purged = removed.and({ type: 'ProjectPurged', data: { versionIds: [], regionIds: [], commentIds: [] } }, null);
  expect(await folded(purged.events)).toEqual({ 'public-notes/p1': null, 'private-notes/p1/ana': null });
});
