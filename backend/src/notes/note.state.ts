import { applySplice, type Change, type Splice } from '@roughmix/contracts/notes/note-splice.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';

/** How to undo a save: the text that it removed, the length that it inserted, and the hash of the text before it. */
interface UndoStep {
  readonly at: number;
  readonly removed: string;
  readonly inserted: number;
  readonly hash: string;
}

/** A note's current text, and the way back to its newest earlier texts, oldest first. Whole texts would make the state a hundred times as large. */
export interface NoteState {
  readonly text: string;
  readonly hash: string;
  readonly undo: readonly UndoStep[];
}

export interface NotesState {
  public: NoteState;
  private: NoteState;
}

const EMPTY: NoteState = { text: '', hash: sha256(''), undo: [] };
export const emptyNotes = (): NotesState => ({ public: EMPTY, private: EMPTY });

/** A note after a save. */
export function savedNote(note: NoteState, { at, removed, inserted }: Splice, hash: string): NoteState {
  const step = { at, removed: note.text.slice(at, at + removed), inserted: inserted.length, hash: note.hash };
  return { text: applySplice(note.text, { at, removed, inserted }), hash, undo: [...note.undo, step].slice(1 - LIMITS.noteTexts) };
}

/** A text that a change is based on, and what was saved since, oldest first. */
export interface BaseText {
  readonly text: string;
  readonly later: readonly Change[];
}

/** The newest of a note's kept texts with this hash; null when there is none. */
export function baseText({ text, hash: current, undo }: NoteState, hash: string): BaseText | null {
  if (hash === current) return { text, later: [] };
  const from = undo.findLastIndex((step) => step.hash === hash);
  if (from === -1) return null;
  const steps = undo.slice(from);
  const base = steps.reduceRight((after, { at, removed, inserted }) => applySplice(after, { at, removed: inserted, inserted: removed }), text);
  return { text: base, later: steps.map(({ at, removed, inserted }) => ({ at, removed: removed.length, inserted })) };
}
