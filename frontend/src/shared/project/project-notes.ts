import { NOTE_NAMES, type NoteName } from '@roughmix/contracts/notes/note.access.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import { type QueryClient, queryOptions, skipToken } from '@tanstack/react-query';

/** A text that the server saved; `hash` identifies it. */
export interface SavedText {
  readonly text: string;
  readonly hash: string;
}

/** A note as of a position. */
export interface SavedNote extends SavedText {
  readonly position: Position;
}

/** The notes that the user may read. */
export type SavedNotes = Readonly<Partial<Record<NoteName, SavedNote>>>;

/** A project's notes, each with a position of its own: most views of a project omit notes, so the newest view may not be the one with the newest notes. */
export const notesOf = (projectId: Id) => queryOptions<SavedNotes>({ queryKey: ['notes', projectId], queryFn: skipToken });

/** Updates the cached notes from a view of their project, if it has notes. */
export function takeNotes(cache: QueryClient, { _id, owner: { notes }, position }: Pick<ProjectView, '_id' | 'owner' | 'position'>): void {
  if (notes === undefined) return;
  const taken = (known: SavedNotes): SavedNotes => {
    const newer = NOTE_NAMES.flatMap((note) => {
      const [text, hash] = [notes[note], notes.hash[note]];
      return text === undefined || hash === undefined || (known[note]?.position ?? 0) > position ? [] : [[note, { text, hash, position }] as const];
    });
    return { ...known, ...Object.fromEntries(newer) };
  };
  cache.setQueryData(notesOf(_id).queryKey, (known) => taken(known ?? {}));
}
