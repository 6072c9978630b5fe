import { mayEditNote, type NoteName } from '@roughmix/contracts/notes/note.access.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { CircleAlert, NotebookPen } from 'lucide-react';
import { useRef, useSyncExternalStore } from 'react';
import { useProject } from '../../shared/project/project-context';
import type { SavedNote } from '../../shared/project/project-notes';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { EmptyState } from '../../shared/ui/empty-state';
import { NoteArea } from './note-area';
import { NoteConflict } from './note-conflict';
import { useNoteEditor } from './note-editors';
import type { NoteStatus } from './note-status';
import styles from './notes.module.css';

const LABELS: Readonly<Record<NoteName, string>> = { public: 'Public note', private: 'Private note' };
const PLACEHOLDERS: Readonly<Record<NoteName, string>> = { public: 'Write some notes here', private: 'For your eyes only' };
const STATES: Readonly<Record<NoteStatus['state'], string>> = {
  saved: 'Saved',
  saving: 'Saving…',
  unsaved: 'Not saved yet',
  failed: 'Not saved yet',
  conflict: 'Not saved yet',
};

interface NoteBoxProps {
  readonly note: NoteName;
  readonly saved: SavedNote;
}

function Notice({ failure, theirs, onRetry }: NoteStatus & { readonly onRetry: () => void }) {
  if (theirs !== null) {
    return (
      <Banner tone="warn" icon={CircleAlert}>
        {detailOf('note.conflict')}
      </Banner>
    );
  }
  if (failure === null) return null;
  const retry = (
    <Button size="s" onPress={onRetry}>
      Retry
    </Button>
  );
  return (
    <Banner tone="bad" end={retry}>
      {failure}
    </Banner>
  );
}

/** One note: a box for those who may edit it, its text for the others. */
export function NoteBox({ note, saved }: NoteBoxProps) {
  const { viewer } = useProject();
  const editor = useNoteEditor(note, saved);
  const status = useSyncExternalStore(editor.subscribe, editor.getSnapshot);
  const area = useRef<HTMLTextAreaElement>(null);
  const mayEdit = mayEditNote(viewer, note);
  const isEmpty = saved.text === '' && status.state === 'saved';
  if (!mayEdit && isEmpty) return <EmptyState icon={NotebookPen}>No notes (yet)</EmptyState>;
  const isConflict = status.theirs !== null;
  return (
    <div className={styles.note}>
      {(mayEdit || status.state !== 'saved') && <p className={`meta ${styles.state}`}>{STATES[status.state]}</p>}
      <Notice {...status} onRetry={editor.retry} />
      <div className={isConflict ? styles.sides : undefined}>
        <NoteArea
          ref={area}
          editor={editor}
          label={isConflict ? 'Your text' : LABELS[note]}
          hidesLabel={!isConflict}
          placeholder={PLACEHOLDERS[note]}
          isReadOnly={!mayEdit}
          error={status.isTooLong ? detailOf('limit.note') : undefined}
        />
        {status.theirs !== null && <NoteConflict editor={editor} theirs={status.theirs} onResolved={() => area.current?.focus()} />}
      </div>
    </div>
  );
}
