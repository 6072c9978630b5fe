import { rebaseSplice } from '@roughmix/contracts/notes/note-merge.js';
import { applySplice, changeOf, type Splice } from '@roughmix/contracts/notes/note-splice.js';
import type { NoteSplice } from '@roughmix/contracts/notes/note.api.js';
import { detailOf, type Problem, statusOf } from '@roughmix/contracts/shared/problems.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import { withoutControls } from '@roughmix/contracts/shared/visible-text.js';
import type { SavedNote } from '../shared/project/project-notes';

/** A server that keeps one note in memory and merges like the real one. */
export interface NoteServer {
  readonly current: () => SavedNote;
  /** Saves once per command id: a repeat gets the current note. */
  readonly save: (change: NoteSplice, commandId: string) => SavedNote | Problem;
  /** The splices as they were saved. */
  readonly splices: readonly Splice[];
}

export const isRefused = (answer: SavedNote | Problem): answer is Problem => 'code' in answer;

export function createNoteServer(first = ''): NoteServer {
  const texts: SavedNote[] = [{ text: first, hash: sha256(first), position: 1 }];
  const splices: Splice[] = [];
  const done = new Set<string>();
  const current = (): SavedNote => {
    const newest = texts.at(-1);
    if (newest === undefined) throw new Error('there is always a text');
    return newest;
  };
  const save = ({ hash, ...sent }: NoteSplice, commandId: string): SavedNote | Problem => {
    if (done.has(commandId)) return current();
    const splice = { ...sent, inserted: withoutControls(sent.inserted) };
    const { text, hash: newest, position } = current();
    const from = texts.findLastIndex((one) => one.hash === hash);
    const rebased = from === -1 ? null : rebaseSplice(splice, splices.slice(from).map(changeOf));
    if (rebased === null) {
      const yours = texts[from] ? applySplice(texts[from].text, splice) : null;
      const detail = detailOf('note.conflict');
      return {
        type: 'about:blank',
        title: 'Conflict',
        status: statusOf('note.conflict'),
        code: 'note.conflict',
        detail,
        note: 'public',
        theirs: text,
        hash: newest,
        yours,
      };
    }
    done.add(commandId);
    const saved = applySplice(text, rebased);
    splices.push(rebased);
    texts.push({ text: saved, hash: sha256(saved), position: position + 1 });
    return current();
  };
  return { current, save, splices };
}
