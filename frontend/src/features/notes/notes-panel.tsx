import { mayReadNote, type NoteName } from '@roughmix/contracts/notes/note.access.js';
import { NOTE_NAMES } from '@roughmix/contracts/notes/note.api.js';
import { Lock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useProject } from '../../shared/project/project-context';
import type { SavedNotes } from '../../shared/project/project-notes';
import { Icon } from '../../shared/ui/icon';
import { Segmented } from '../../shared/ui/segmented';
import { NoteBox } from './note-box';
import styles from './notes.module.css';

const LABELS: Readonly<Record<NoteName, ReactNode>> = {
  public: 'Public',
  private: (
    <>
      <Icon of={Lock} size={12} />
      Private
    </>
  ),
};

/** A project's notes: the public one for everyone, beside the private one for the owner. */
export function NotesPanel({ notes }: { readonly notes: SavedNotes }) {
  const { viewer } = useProject();
  const [chosen, setChosen] = useState<NoteName>('public');
  const readable = NOTE_NAMES.filter((note) => mayReadNote(viewer, note) && notes[note] !== undefined);
  const note = readable.includes(chosen) ? chosen : 'public';
  const saved = notes[note];
  return (
    <div className={styles.notes}>
      {readable.length > 1 && <Segmented label="Notes" options={readable.map((id) => ({ id, label: LABELS[id] }))} value={note} onChange={setChosen} />}
      {saved !== undefined && <NoteBox key={note} note={note} saved={saved} />}
    </div>
  );
}
