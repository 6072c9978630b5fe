// Generates a log like one after years of use: many projects with versions, regions, comments, replies, edits and ratings, sealed like real events.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { masterKeyFrom } from '../../../backend/dist/platform/auth/secrets.js';
import { DataKeys } from '../../../backend/dist/platform/personal-data/data-keys.js';
import { EmbeddedEventStore } from '../../../backend/dist/platform/event-store/embedded-event-store.js';
import { newId } from '../../../backend/dist/platform/ids.js';
import { OpenedEvents } from '../../../backend/dist/platform/streams/opened-events.js';
import { FieldSealer } from '../../../backend/dist/platform/personal-data/field-sealer.js';
import { EmbeddedVault } from '../../../backend/dist/platform/vault/embedded-vault.js';
import { slices } from '../../../backend/dist/slices.js';
import { between, oneOf } from '../../faults/lib/seeded.mjs';
import { appendNext } from '../../../backend/dist/testing/append-next.js';

const AT = 1_700_000_000_000;
const LINES = [
  'The doubles drag behind the beat, listen at the chorus.',
  'Less reverb on the snare, please.',
  'Wide and late: I like it. Can we try it dry once more?',
  'yes',
];
const TAGS = ['general', 'mix', 'lyrics'];
const WRITERS = 64;
const noMarks = { taggedRegions: [], stamp: null };

/** Opens log and vault of a data folder, and what is needed to decrypt events. */
export async function openLog(folder, masterKey) {
  const vault = await EmbeddedVault.open({ file: join(folder, 'vault.db') });
  const store = await EmbeddedEventStore.open({ file: join(folder, 'log.db') });
  const sealer = new FieldSealer(slices.fieldClasses, await DataKeys.open(vault, masterKeyFrom(masterKey)));
  const opened = new OpenedEvents(sealer, slices.upcasters);
  const close = async () => {
    await store.close();
    await vault.close();
  };
  return { vault, store, sealer, opened, close };
}

/** Appends `events` events to `projects` projects, a few to one project at a time. */
export async function growLog({ store, sealer }, random, { events, projects }) {
  const people = Array.from({ length: Math.max(2, projects / 4) }, () => newId());
  const songs = Array.from({ length: projects }, () => aSong(random, people));
  let left = events;
  const room = () => left;
  const append = async (stream, actorUid, made) => {
    const meta = { actorUid, at: AT + events - left, commandId: randomUUID(), request: 'x'.repeat(43), correlationId: randomUUID(), causationId: null };
    const sealed = await Promise.all(made.map(({ type, data }) => sealer.seal(stream, { id: randomUUID(), type, data, meta })));
    left -= made.length;
    await appendNext(store, stream, sealed);
  };
  for (const uid of people) {
    await append(`user-${uid}`, uid, [{ type: 'UserRegistered', data: { uid, username: `Person ${uid}`, firstName: 'Ana', lastName: uid, guest: false } }]);
  }
  const write = async () => {
    while (room() > 0) {
      const song = oneOf(random, songs);
      await append(
        `project-${song.projectId}`,
        oneOf(random, song.people),
        Array.from({ length: Math.min(left, between(random, 1, 4)) }, () => song.next()),
      );
    }
  };
  for (const song of songs) await append(`project-${song.projectId}`, song.people[0], song.begin());
  await Promise.all(Array.from({ length: WRITERS }, write));
}

const added = (list, id) => {
  list.push(id);
  return id;
};

function aSong(random, users) {
  const projectId = newId();
  const versionId = newId();
  const people = [oneOf(random, users), oneOf(random, users)];
  const comments = [];
  const regions = [];
  const span = () => ({ start: between(random, 0, 20), end: between(random, 21, 60), tag: oneOf(random, TAGS), label: oneOf(random, LINES).slice(0, 40) });
  const next = () => {
    const kind = random();
    const content = oneOf(random, LINES);
    const base = { versionId: null, taggedUsers: [] };
    if (kind < 0.4 || comments.length === 0) {
      return { type: 'CommentAdded', data: { commentId: added(comments, newId()), kind: 'text', content, ...base, marks: noMarks } };
    }
    if (kind < 0.6) {
      return { type: 'CommentReplyAdded', data: { commentId: newId(), parentCommentId: oneOf(random, comments), content, ...base, marks: noMarks } };
    }
    if (kind < 0.7) return { type: 'CommentEdited', data: { commentId: oneOf(random, comments), content, taggedUsers: [], from: noMarks, to: noMarks } };
    if (kind < 0.85) return { type: 'CommentRated', data: { commentId: oneOf(random, comments), from: null, to: 'likes' } };
    if (kind < 0.95 || regions.length === 0) return { type: 'RegionAdded', data: { regionId: added(regions, newId()), versionId, span: span() } };
    return { type: 'RegionEdited', data: { regionId: oneOf(random, regions), from: span(), to: span() } };
  };
  const begin = () => beginning({ projectId, versionId, people });
  return { projectId, people, next, begin };
}

/** The first events of a project. */
function beginning({ projectId, versionId, people }) {
  const words = { projectName: 'Low tide', description: 'Slow, with a choir', tinySummary: 'Rough idea', message: '' };
  const invited = [{ uid: people[1], access: 3, write: true }];
  const file = {
    key: `k/${versionId}.wav`,
    filename: 'low tide.wav',
    size: 5_292_044,
    contentType: 'audio/wav',
    codec: 'pcm_s16le',
    duration: 60,
    sampleRate: 44_100,
    channels: 2,
  };
  const version = { versionId, major: 1, minor: 0, tinySummary: 'Rough idea', taggedUsers: [], uploadId: newId(), file };
  return [
    { type: 'ProjectCreated', data: { projectId, ownerUid: people[0], firstVersionId: versionId, ...words, invited: [] } },
    { type: 'VersionAdded', data: version },
    { type: 'ProjectUsersInvited', data: { invited, message: 'Come in' } },
  ];
}
