import { describe, expect, test } from '@jest/globals';
import type { NoteName } from '@roughmix/contracts/notes/note.access.js';
import type { NoteChange } from '@roughmix/contracts/notes/note.api.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import type { ProjectCommand } from '../projects/project.decider.js';
import { projectFromSnapshot } from '../projects/project.state.js';
import { folded, given } from '../testing/given.js';
import { aProject } from '../testing/project-history.js';

const started = aProject().ownedBy('ana').withVersion('v1').sharedWith('bob', { write: true }).sharedWith('carl');
const BASE = 'Tune the snare';
const noted = started.withNote(BASE, { by: 'bob' });

const save = (note: NoteName, change: NoteChange, notes: Partial<Record<NoteName, NoteChange>> = {}): ProjectCommand => ({
  type: 'EditNote',
  data: { note, notes: { ...notes, [note]: change } },
});
const splice = (at: number, removed: number, inserted: string, on: string): NoteChange => ({ at, removed, inserted, hash: sha256(on) });
const publicEvent = (at: number, removed: number, inserted: string, text: string) => ({
  type: 'PublicNoteEdited' as const,
  data: { at, removed, inserted, hash: sha256(text) },
});

describe('a full text', () => {
  test('is stored as the smallest splice', () => {
    given(noted)
      .when(save('public', 'Tune the kick'), 'bob')
      .then([publicEvent(9, 5, 'kick', 'Tune the kick')]);
  });

  test('of the private note is stored under its owner', () => {
    given(noted)
      .when(save('private', 'Ask Bob'), 'ana')
      .then([{ type: 'PrivateNoteEdited', data: { ownerUid: 'ana', at: 0, removed: 0, inserted: 'Ask Bob', hash: sha256('Ask Bob') } }]);
  });

  test('that is already there changes nothing', () => given(noted).when(save('public', BASE), 'bob').thenNothing());

  test('may have 60,000 characters, not one more', () => {
    const longest = 'x'.repeat(LIMITS.note);
    given(started)
      .when(save('public', longest), 'bob')
      .then([publicEvent(0, 0, longest, longest)]);
    given(started)
      .when(save('public', `${longest}x`), 'bob')
      .thenRefused('limit.note', { limit: 60_000, field: 'public' });
  });
});

describe('a splice', () => {
  test('of the current text is stored as it is', () => {
    given(noted)
      .when(save('public', splice(0, 4, 'Tune', BASE)), 'bob')
      .thenNothing();
    given(noted)
      .when(save('public', splice(0, 4, 'Tame', BASE)), 'bob')
      .then([publicEvent(0, 4, 'Tame', 'Tame the snare')]);
  });

  test('of an older text is rebased', () => {
    const grown = noted.withNote('First: ');
    given(grown)
      .when(save('public', splice(9, 5, 'kick', BASE)), 'bob')
      .then([publicEvent(16, 5, 'kick', 'First: Tune the kick')]);
  });

  test('at the place of an earlier insertion comes after it', () => {
    const grown = noted.withNote('First: ');
    given(grown)
      .when(save('public', splice(0, 0, 'Then: ', BASE)), 'bob')
      .then([publicEvent(7, 0, 'Then: ', 'First: Then: Tune the snare')]);
  });

  test('that overlaps a later change is a conflict with both texts, and nothing is saved', () => {
    const changed = noted.withNote('Tune it', { before: BASE });
    given(changed)
      .when(save('public', splice(9, 5, 'kick', BASE)), 'bob')
      .thenRefused('note.conflict', { note: 'public', theirs: 'Tune it', hash: sha256('Tune it'), yours: 'Tune the kick' });
  });

  test('of an unknown text is a conflict without a text of its own', () => {
    given(noted)
      .when(save('public', splice(0, 0, 'x', 'never saved')), 'bob')
      .thenRefused('note.conflict', { note: 'public', theirs: BASE, hash: sha256(BASE), yours: null });
  });

  test('whose result is already the current text changes nothing, although it overlaps', () => {
    const changed = noted.withNote('Tune it', { before: BASE });
    given(changed)
      .when(save('public', splice(5, 9, 'it', BASE)), 'bob')
      .thenNothing();
    given(changed)
      .when(save('public', splice(7, 0, '', BASE)), 'bob')
      .thenNothing();
  });

  test('refers to the newest of equal texts', () => {
    const backAgain = noted.withNote('Tune it', { before: BASE }).withNote(BASE, { before: 'Tune it' }).withNote('First: ');
    given(backAgain)
      .when(save('public', splice(9, 5, 'kick', BASE)), 'bob')
      .then([publicEvent(16, 5, 'kick', 'First: Tune the kick')]);
  });
});

describe('a splice that is never valid', () => {
  test.each([
    ['behind the end', splice(15, 0, 'x', BASE)],
    ['removes more than there is', splice(10, 5, '', BASE)],
    ['starts before the text', splice(-1, 0, 'x', BASE)],
    ['counts in fractions', splice(0.5, 0, 'x', BASE)],
    ['starts at a number without an exact neighbour', splice(2 ** 53, 0, 'x', BASE)],
    ['removes more than any text has', splice(0, 1e308, '', BASE)],
    ['inserts half a surrogate pair', splice(0, 0, '\ud800', BASE)],
    ['has a malformed hash', { at: 0, removed: 0, inserted: 'x', hash: sha256(BASE).toUpperCase() }],
    ['has no hash', { at: 0, removed: 0, inserted: 'x' }],
    ['is null', null],
    ['is a list', []],
    ['is a number', 3],
  ])('%s: refused', (_case, change) =>
    given(noted)
      .when(save('public', change as NoteChange), 'bob')
      .thenRefused('request.invalid', { field: 'public' }),
  );

  test('through a surrogate pair is refused', () => {
    const withEmoji = started.withNote('a🎧b');
    given(withEmoji)
      .when(save('public', splice(2, 0, 'x', 'a🎧b')), 'bob')
      .thenRefused('request.invalid', { field: 'public' });
    given(withEmoji)
      .when(save('public', splice(0, 2, '', 'a🎧b')), 'bob')
      .thenRefused('request.invalid', { field: 'public' });
  });

  test('with another field is refused', () => {
    const change = { at: 0, removed: 0, inserted: 'x', hash: sha256(BASE), length: 1 };
    given(noted).when(save('public', change), 'bob').thenRefused('request.unknown-field', { field: 'public' });
  });

  test('may not make the note too long, by itself or after merging', () => {
    const half = 'x'.repeat(LIMITS.note / 2);
    const [tooMuch, enough] = [`${half}y`, half.slice(1)];
    const grown = started.withNote(half).withNote(enough);
    const refused = ['limit.note', { limit: 60_000, field: 'public' }] as const;
    given(grown)
      .when(save('public', splice(0, 0, tooMuch, half)), 'bob')
      .thenRefused(...refused);
    given(grown)
      .when(save('public', splice(0, 0, 'yy', half)), 'bob')
      .thenRefused(...refused);
    given(grown)
      .when(save('public', splice(0, 0, 'y', half)), 'bob')
      .then([publicEvent(enough.length, 0, 'y', `${enough}y${half}`)]);
  });
});

describe('the last hundred texts', () => {
  const texts = Array.from({ length: 101 }, (_, at) => `take ${at} `);
  const long = texts.reduce((history, text, at) => history.withNote(text, { before: texts[at - 1] ?? '' }), started);
  const insert = (on: string) => save('public', splice(0, 0, '!', on));

  test('are kept as a base for merging; older ones are not', () => {
    const current = 'take 100 ';
    given(long)
      .when(insert(current), 'bob')
      .then([publicEvent(0, 0, '!', `!${current}`)]);
    // Each save replaced the whole text, so what is known of the oldest one shows in the conflict.
    const conflict = { note: 'public', theirs: current, hash: sha256(current) } as const;
    given(long)
      .when(save('public', splice(1, 0, '!', 'take 1 ')), 'bob')
      .thenRefused('note.conflict', { ...conflict, yours: 't!ake 1 ' });
    given(long)
      .when(save('public', splice(1, 0, '!', 'take 0 ')), 'bob')
      .thenRefused('note.conflict', { ...conflict, yours: null });
  });

  test('are still known after a snapshot', () => {
    const state = folded(long);
    expect(projectFromSnapshot(JSON.parse(JSON.stringify(state)))).toEqual(state);
    expect(state.notes.public.undo).toHaveLength(99);
  });
});

describe('checks of a request', () => {
  test('a collaborator saves the public note only, a viewer and a visitor none', () => {
    given(noted).when(save('private', 'x'), 'bob').thenRefused('project.not-allowed');
    given(noted).when(save('public', 'x'), 'carl').thenRefused('project.not-allowed');
    given(noted.made('public')).when(save('public', 'x'), 'zoe').thenRefused('project.not-allowed');
    given(noted).when(save('public', 'x'), 'zoe').thenRefused('project.not-found');
  });

  test('permissions for every note in the request are checked before any format', () => {
    given(noted)
      .when(save('public', null as unknown as NoteChange, { private: 'x' }), 'bob')
      .thenRefused('project.not-allowed');
    given(noted)
      .when({ type: 'EditProject', data: { description: 'x', notes: { public: 'x' } } }, 'bob')
      .thenRefused('project.not-allowed');
  });

  test('formats and lengths of all notes are checked before anything is saved', () => {
    given(noted)
      .when(save('public', 'x', { private: 'x'.repeat(60_001) }), 'ana')
      .thenRefused('limit.note', { limit: 60_000, field: 'private' });
    given(noted)
      .when({ type: 'EditProject', data: { description: 'x', notes: { private: splice(9, 9, '', '') } } }, 'ana')
      .thenRefused('request.invalid', { field: 'private' });
    const withHash = { public: 'x', hash: {} as never };
    given(noted)
      .when({ type: 'EditNote', data: { note: 'public', notes: withHash } }, 'bob')
      .thenRefused('request.invalid', { field: 'hash' });
  });
});

test('a new owner starts with an empty private note', () => {
  const takenOver = noted.withPrivateNote('Ask Bob').and({ type: 'ProjectTakenOver', data: { from: 'ana', to: 'bob' } }, 'bob');
  expect(folded(takenOver).notes.private).toEqual({ text: '', hash: sha256(''), undo: [] });
  given(takenOver)
    .when(save('private', splice(0, 0, 'Mine', '')), 'bob')
    .then([{ type: 'PrivateNoteEdited', data: { ownerUid: 'bob', at: 0, removed: 0, inserted: 'Mine', hash: sha256('Mine') } }]);
  given(takenOver).when(save('private', 'x'), 'ana').thenRefused('project.not-found');
});
