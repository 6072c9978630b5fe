import { mayEditNote, type NoteName } from '@roughmix/contracts/notes/note.access.js';
import { changedNotes, type NoteChange, noteChangeProblem, type NotesChanges, type NoteSplice } from '@roughmix/contracts/notes/note.api.js';
import type { NoteEvents } from '@roughmix/contracts/notes/note.events.js';
import { rebaseSplice } from '@roughmix/contracts/notes/note-merge.js';
import { applySplice, fitsText, smallestSplice, type Splice } from '@roughmix/contracts/notes/note-splice.js';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import { isWellFormed } from '@roughmix/contracts/shared/well-formed.js';
import type { Folds, Rules } from '../kernel/decider.js';
import { isRefusal, refuse, type Refusal } from '../kernel/refusal.js';
import type { ProjectState } from '../projects/project.state.js';
import { baseText, type NoteState, savedNote } from './note.state.js';

export interface NoteCommands {
  /** Saves one of the notes. `notes` also holds those of the same request that are saved after it. */
  EditNote: { readonly note: NoteName; readonly notes: NotesChanges };
}

const tooLong = (note: NoteName): Refusal => refuse('limit.note', { limit: LIMITS.note, field: note });

/** Why a change cannot be valid, whatever else is saved meanwhile; null if it can. */
function changeProblem(note: NoteName, change: NoteChange, current: NoteState): Refusal | null {
  const problem = noteChangeProblem(change);
  if (problem !== null) return refuse(problem, { field: note });
  if (!isWellFormed(typeof change === 'string' ? change : change.inserted)) return refuse('request.invalid', { field: note });
  if (typeof change === 'string') return change.length > LIMITS.note ? tooLong(note) : null;
  const base = baseText(current, change.hash);
  if (base === null) return null;
  if (!fitsText(base.text, change)) return refuse('request.invalid', { field: note });
  return applySplice(base.text, change).length > LIMITS.note ? tooLong(note) : null;
}

/** Refuses changes of notes before any of them is saved: first for missing rights, then for what can never be valid. Conflicts are found in turn. */
export function notesProblem(notes: NotesChanges, project: ProjectState, who: Viewer): Refusal | null {
  const names = changedNotes(notes);
  if (!names.every((note) => mayEditNote(who, note))) return refuse('project.not-allowed');
  if (notes.hash !== undefined) return refuse('request.invalid', { field: 'hash' });
  for (const note of names) {
    const problem = changeProblem(note, notes[note] as NoteChange, project.notes[note]);
    if (problem !== null) return problem;
  }
  return null;
}

/** The splice of the current text that a change amounts to; null if it changes nothing. */
function spliceOf(note: NoteName, change: NoteChange, current: NoteState): Splice | Refusal | null {
  if (typeof change === 'string') return change === current.text ? null : smallestSplice(current.text, change);
  return merged(note, change, current);
}

function merged(note: NoteName, { hash, ...splice }: NoteSplice, current: NoteState): Splice | Refusal | null {
  const conflict = (yours: string | null): Refusal => refuse('note.conflict', { note, theirs: current.text, hash: current.hash, yours });
  const base = baseText(current, hash);
  if (base === null) return conflict(null);
  const wanted = applySplice(base.text, splice);
  if (wanted === current.text || (splice.removed === 0 && splice.inserted === '')) return null;
  const rebased = rebaseSplice(splice, base.later);
  if (rebased === null) return conflict(wanted);
  const text = applySplice(current.text, rebased);
  if (text.length > LIMITS.note) return tooLong(note);
  return text === current.text ? null : rebased;
}

export const noteRules: Rules<NoteCommands, ProjectState, Viewer, ProjectStreamEvent> = {
  EditNote({ note, notes }, project, who) {
    const problem = notesProblem(notes, project, who);
    if (problem !== null) return problem;
    const change = notes[note];
    if (change === undefined) return [];
    const current = project.notes[note];
    const splice = spliceOf(note, change, current);
    if (splice === null) return [];
    if (isRefusal(splice)) return splice;
    const data = { ...splice, hash: sha256(applySplice(current.text, splice)) };
    return note === 'public' ? [{ type: 'PublicNoteEdited', data }] : [{ type: 'PrivateNoteEdited', data: { ownerUid: who.uid, ...data } }];
  },
};

export const noteFolds: Folds<NoteEvents, ProjectState> = {
  PublicNoteEdited(project, { data }) {
    project.notes.public = savedNote(project.notes.public, data, data.hash);
    return project;
  },
  PrivateNoteEdited(project, { data }) {
    project.notes.private = savedNote(project.notes.private, data, data.hash);
    return project;
  },
};
