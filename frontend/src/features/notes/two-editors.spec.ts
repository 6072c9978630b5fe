import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ApiProblem, OfflineError } from '../../shared/api/api-errors';
import type { SavedNote } from '../../shared/project/project-notes';
import { createNoteServer, isRefused } from '../../testing/note-server';
import { NoteEditor } from './note-editor';

/** A generator of numbers from 0 up to 1, the same for a seed on every run (xorshift). */
function seeded(seed: number): () => number {
  let state = (seed * 2_654_435_761) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** An editor with its network: answers and pushes arrive when the spec delivers them. */
interface Writer {
  readonly editor: NoteEditor;
  readonly answers: (() => void)[];
  readonly pushes: SavedNote[];
}

/** Plays random typing, saves and deliveries, in which some answers are lost, then lets everything arrive. */
async function play(seed: number) {
  const random = seeded(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const server = createNoteServer();
  const writers: Writer[] = [];
  const tally = { conflicts: 0, lost: 0 };
  let typed = 0x4e00;

  const openWriter = (name: string): Writer => {
    const answers: (() => void)[] = [];
    const send = (...[change, { commandId }]: Parameters<ConstructorParameters<typeof NoteEditor>[1]>) =>
      new Promise<SavedNote>((resolve, reject) => {
        const answer = server.save(change, commandId);
        for (const other of writers) if (other !== writer && !isRefused(answer)) other.pushes.push(answer);
        const isLost = random() < 0.15;
        if (isLost) tally.lost += 1;
        answers.push(() => (isLost ? reject(new OfflineError(null)) : isRefused(answer) ? reject(new ApiProblem(answer)) : resolve(answer)));
      });
    const writer: Writer = { editor: new NoteEditor(`roughmix.draft.${name}`, send, server.current(), () => true), answers, pushes: [] };
    return writer;
  };
  writers.push(openWriter('ana'), openWriter('bob'));

  const type = ({ editor }: Writer): void => {
    const { text } = editor;
    const at = below(text.length + 1);
    const removed = random() < 0.3 ? below(4) : 0;
    const inserted = Array.from({ length: 1 + below(4) }, () => String.fromCharCode((typed += 1))).join('');
    editor.type(text.slice(0, at) + inserted + text.slice(at + removed));
  };
  const settleConflict = ({ editor }: Writer): void => {
    const { theirs } = editor.getSnapshot();
    if (theirs === null) return;
    tally.conflicts += 1;
    editor.resolve(random() < 0.5 ? theirs : editor.text);
  };
  const deliver = async ({ editor, answers, pushes }: Writer): Promise<void> => {
    if (random() < 0.5) answers.shift()?.();
    else {
      const push = pushes.shift();
      if (push) editor.receive(push);
    }
    await jest.advanceTimersByTimeAsync(0);
  };

  for (let round = 0; round < 150; round += 1) {
    const writer = writers[below(2)] as Writer;
    const act = random();
    if (act < 0.4) type(writer);
    else if (act < 0.6) writer.editor.retry();
    else await deliver(writer);
    settleConflict(writer);
  }
  const isDone = ({ editor, answers, pushes }: Writer) => answers.length + pushes.length === 0 && editor.getSnapshot().state === 'saved';
  for (let round = 0; round < 2_000 && !writers.every(isDone); round += 1) {
    for (const writer of writers) {
      settleConflict(writer);
      writer.editor.retry();
      await deliver(writer);
    }
  }
  return { texts: writers.map(({ editor }) => editor.text), saved: server.current().text, saves: server.splices.length, ...tally };
}

beforeEach(() => {
  sessionStorage.clear();
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test.each(Array.from({ length: 30 }, (_, at) => at + 1))(
  'two people type at random while answers and pushes come late or not at all (seed %i): both have the same text, with no words twice',
  async (seed) => {
    const { texts, saved, saves, conflicts, lost } = await play(seed);
    expect(texts).toEqual([saved, saved]);
    expect(new Set(saved).size).toBe(saved.length);
    // The run contains saves, and conflicts or lost answers.
    expect(Math.min(saves, conflicts + lost)).toBeGreaterThan(0);
  },
);
