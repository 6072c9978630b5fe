import { mayReadNote, NOTE_NAMES, type NoteName } from '@roughmix/contracts/notes/note.access.js';
import { Lock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type NotePlace, useProject } from '../../shared/project/project-context';
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

/** A request to select a part of a note. `requestId` counts up, so that the same part can be requested again. */
export interface NoteRequest extends NotePlace {
  readonly requestId: number;
}

interface NotesPanelProps {
  readonly notes: SavedNotes;
  readonly request: NoteRequest | null;
  /** Called once the request is handled, so that opening the tab again does not repeat it. */
  readonly onFollowed: () => void;
}

/** A project's notes: the public one for everyone, beside the private one for the owner. */
export function NotesPanel({ notes, request, onFollowed }: NotesPanelProps) {
  const { viewer } = useProject();
  const [chosen, setChosen] = useState<NoteName>('public');
  const [followed, setFollowed] = useState(0);
  if (request !== null && request.requestId !== followed) {
    setFollowed(request.requestId);
    setChosen(request.note);
  }
  const readable = NOTE_NAMES.filter((note) => mayReadNote(viewer, note) && notes[note] !== undefined);
  const note = readable.includes(chosen) ? chosen : 'public';
  const saved = notes[note];
  return (
    <div className={styles.notes}>
      {readable.length > 1 && <Segmented label="Notes" options={readable.map((id) => ({ id, label: LABELS[id] }))} value={note} onChange={setChosen} />}
      {saved !== undefined && <NoteBox key={note} note={note} saved={saved} request={request?.note === note ? request : null} onFollowed={onFollowed} />}
    </div>
  );
}
