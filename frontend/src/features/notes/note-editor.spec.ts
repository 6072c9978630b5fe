import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { detailOf, type Problem } from '@roughmix/contracts/shared/problems.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import { ApiProblem, OfflineError } from '../../shared/api/api-errors';
import { createNoteServer, isRefused, type NoteServer } from '../../testing/note-server';
import type { SavedNote } from '../../shared/project/project-notes';
import { NoteEditor, type SaveOptions } from './note-editor';

const KEY = 'roughmix.draft.ana.p1.note.public';
let server: NoteServer;
/** The options of each save, in order. */
let saves: SaveOptions[];
/** How the next saves go; 'lost' saves and loses the answer. */
let network: 'up' | 'down' | 'lost';
/** Answers wait for this promise. */
let held: Promise<void>;
let isSignedIn: boolean;

const refusal = (code: Problem['code'], status: number) => new ApiProblem({ type: 'about:blank', title: '', status, code, detail: detailOf(code) });

function openEditor(saved: SavedNote = server.current()): NoteEditor {
  return new NoteEditor(
    KEY,
    async (change, options) => {
      saves.push(options);
      if (network === 'down') throw new OfflineError(null);
      const answer = server.save(change, options.commandId);
      await held;
      if (network === 'lost') throw new OfflineError(null);
      if (isRefused(answer)) throw new ApiProblem(answer);
      return answer;
    },
    saved,
    () => isSignedIn,
  );
}

/** Another user replaces the first occurrence of a word. */
function replaceByOther(word: string, by: string): void {
  const { text, hash } = server.current();
  server.save({ at: text.indexOf(word), removed: word.length, inserted: by, hash }, `other-${server.splices.length}`);
}

const stateOf = (editor: NoteEditor) => editor.getSnapshot().state;
const settle = () => jest.advanceTimersByTimeAsync(0);

beforeEach(() => {
  jest.useFakeTimers();
  sessionStorage.clear();
  server = createNoteServer('one two three');
  saves = [];
  network = 'up';
  held = Promise.resolve();
  isSignedIn = true;
});
afterEach(() => {
  jest.useRealTimers();
});

describe('saving', () => {
  test('after 934 ms without typing in this tab, after 2 s on the server', async () => {
    const editor = openEditor();
    editor.type('one two three four');
    await jest.advanceTimersByTimeAsync(933);
    expect(sessionStorage.getItem(KEY)).toBeNull();
    await jest.advanceTimersByTimeAsync(1);
    expect(sessionStorage.getItem(KEY)).toContain('"text":"one two three four"');
    await jest.advanceTimersByTimeAsync(1_065);
    expect([saves.length, stateOf(editor)]).toEqual([0, 'unsaved']);
    await jest.advanceTimersByTimeAsync(1);
    expect([server.current().text, stateOf(editor)]).toEqual(['one two three four', 'saved']);
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });

  test('control characters are gone after a save, and what was typed meanwhile stays', async () => {
    const editor = openEditor();
    editor.type('one\u2028two\u000b three');
    const saved = editor.flush();
    editor.type('one\u2028two\u000b three four');
    await saved;
    expect([server.current().text, editor.text]).toEqual(['one\ntwo three', 'one\ntwo three four']);
    await editor.flush();
    expect([server.current().text, stateOf(editor), saves.length]).toEqual(['one\ntwo three four', 'saved', 2]);
  });

  test('typing goes on while a save is in flight, and is saved after it', async () => {
    let release = (): void => undefined;
    held = new Promise((resolve) => (release = resolve));
    const editor = openEditor();
    editor.type('one two three four');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(stateOf(editor)).toBe('saving');
    editor.type('one two three four five');
    replaceByOther('one', '1');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(saves).toHaveLength(1);
    release();
    await jest.advanceTimersByTimeAsync(1_999);
    expect([editor.text, stateOf(editor)]).toEqual(['one two three four five', 'unsaved']);
    await jest.advanceTimersByTimeAsync(1);
    expect([editor.text, server.current().text, stateOf(editor)]).toEqual(['1 two three four five', '1 two three four five', 'saved']);
  });

  test('typing at another place saves what was written before it, so that each save is one small change', async () => {
    const editor = openEditor();
    editor.type('one two three four');
    editor.type('one two three four five');
    await settle();
    expect(saves).toHaveLength(0);
    editor.type('zero one two three four five');
    await settle();
    expect(server.splices).toEqual([{ at: 13, removed: 0, inserted: ' four five' }]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(server.splices.slice(1)).toEqual([{ at: 0, removed: 0, inserted: 'zero ' }]);
  });

  test('leaving saves at once', async () => {
    const editor = openEditor();
    editor.type('one');
    editor.leave(true);
    await settle();
    expect(saves.map(({ keepalive }) => keepalive)).toEqual([true]);
    expect(server.current().text).toBe('one');
    editor.leave();
    await settle();
    expect(saves).toHaveLength(1);
  });
});

describe('a save that fails', () => {
  test('because its answer was lost is repeated under its id, so that its words are inserted once', async () => {
    const editor = openEditor();
    network = 'lost';
    editor.type('one two three four');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(editor.getSnapshot()).toMatchObject({ state: 'failed', failure: 'Roughmix cannot be reached right now.' });
    editor.type('one two three four five');
    network = 'up';
    await jest.advanceTimersByTimeAsync(4_000);
    expect(server.current().text).toBe('one two three four five');
    expect(new Set(saves.map(({ commandId }) => commandId)).size).toBe(2);
    expect([editor.text, stateOf(editor)]).toEqual(['one two three four five', 'saved']);
  });

  test('after a reload, too', async () => {
    network = 'lost';
    openEditor().type('one two three four');
    await jest.advanceTimersByTimeAsync(2_000);
    network = 'up';
    const reloaded = openEditor();
    await settle();
    expect([reloaded.text, server.current().text, stateOf(reloaded)]).toEqual(['one two three four', 'one two three four', 'saved']);
    expect(new Set(saves.map(({ commandId }) => commandId)).size).toBe(1);
  });

  test('without a connection it is tried again until it succeeds', async () => {
    const editor = openEditor();
    network = 'down';
    editor.type('one');
    await jest.advanceTimersByTimeAsync(20_000);
    expect(saves.length).toBeGreaterThan(2);
    expect([editor.text, stateOf(editor)]).toEqual(['one', 'failed']);
    network = 'up';
    editor.retry();
    await settle();
    expect([server.current().text, stateOf(editor)]).toEqual(['one', 'saved']);
  });

  test('a refusal keeps the text and is not repeated by itself', async () => {
    const editor = new NoteEditor(
      KEY,
      () => Promise.reject(refusal('project.not-allowed', 403)),
      server.current(),
      () => true,
    );
    editor.type('one');
    await jest.advanceTimersByTimeAsync(60_000);
    expect([editor.text, editor.getSnapshot()]).toEqual([
      'one',
      { state: 'failed', failure: 'You may not do this in this project.', theirs: null, isTooLong: false },
    ]);
    expect(openEditor().text).toBe('one');
  });

  test('after signing out nothing is stored or sent', async () => {
    const editor = openEditor();
    network = 'down';
    editor.type('one');
    await jest.advanceTimersByTimeAsync(2_000);
    isSignedIn = false;
    sessionStorage.clear();
    await jest.advanceTimersByTimeAsync(60_000);
    editor.leave();
    expect([saves.length, sessionStorage.length]).toEqual([1, 0]);
  });

  test('a text that is too long is kept in this tab and not sent', async () => {
    const editor = openEditor();
    editor.type('a'.repeat(60_001));
    await jest.advanceTimersByTimeAsync(5_000);
    expect([editor.getSnapshot().isTooLong, stateOf(editor), saves.length]).toEqual([true, 'unsaved', 0]);
    expect(openEditor().text).toHaveLength(60_001);
  });
});

describe('what others save', () => {
  test('is merged into unsaved text', async () => {
    const editor = openEditor();
    editor.type('one two three four');
    replaceByOther('one', '1');
    editor.receive(server.current());
    expect(editor.text).toBe('1 two three four');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(server.current().text).toBe('1 two three four');
  });

  test('is ignored when it is older than what is known', () => {
    const before = server.current();
    replaceByOther('one', '1');
    const editor = openEditor();
    editor.receive(before);
    expect(editor.text).toBe('1 two three');
  });

  test('waits until an input method is done, and so does the answer of a save', async () => {
    const editor = openEditor();
    editor.type('one two three n');
    editor.compose(true);
    replaceByOther('one', '1');
    editor.receive(server.current());
    await jest.advanceTimersByTimeAsync(2_000);
    editor.type('one two three ni');
    expect([editor.text, server.current().text]).toEqual(['one two three ni', '1 two three n']);
    editor.compose(false);
    await settle();
    expect(editor.text).toBe('1 two three ni');
    await jest.advanceTimersByTimeAsync(2_000);
    expect([server.current().text, stateOf(editor)]).toEqual(['1 two three ni', 'saved']);
  });
});

describe('a conflict', () => {
  async function conflicting(): Promise<NoteEditor> {
    const editor = openEditor();
    editor.type('one 2 three');
    replaceByOther('two', 'second');
    editor.receive(server.current());
    await jest.advanceTimersByTimeAsync(2_000);
    return editor;
  }

  test('has both texts and saves nothing until one is chosen', async () => {
    const editor = await conflicting();
    expect([editor.text, editor.getSnapshot().theirs]).toEqual(['one 2 three', 'one second three']);
    editor.type('one 2nd three');
    replaceByOther('three', '3');
    editor.receive(server.current());
    await jest.advanceTimersByTimeAsync(10_000);
    expect([editor.text, editor.getSnapshot().theirs, saves.length]).toEqual(['one 2nd three', 'one second 3', 1]);
  });

  test.each([
    ['the own text', 'one 2 three'],
    ['the saved one', 'one second three'],
    ['a third', 'one 2nd three'],
  ])('ends with %s', async (_which, text) => {
    const editor = await conflicting();
    editor.resolve(text);
    await settle();
    expect([editor.text, server.current().text, stateOf(editor)]).toEqual([text, text, 'saved']);
  });

  test('is found again after a reload', async () => {
    await conflicting();
    const reloaded = openEditor();
    await settle();
    expect([reloaded.text, reloaded.getSnapshot().theirs]).toEqual(['one 2 three', 'one second three']);
  });

  test('between an answer and what was typed meanwhile keeps both texts', async () => {
    let release = (): void => undefined;
    held = new Promise((resolve) => (release = resolve));
    const editor = openEditor();
    editor.type('one two three four');
    replaceByOther('one', '1');
    await jest.advanceTimersByTimeAsync(2_000);
    editor.type('ONE two three four');
    release();
    await settle();
    expect([editor.text, editor.getSnapshot().theirs]).toEqual(['ONE two three four', '1 two three four']);
    expect(sha256(editor.getSnapshot().theirs ?? '')).toBe(server.current().hash);
  });
});
