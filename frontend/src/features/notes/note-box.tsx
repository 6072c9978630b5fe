import { mayEditNote, type NoteName } from '@roughmix/contracts/notes/note.access.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { NotebookPen } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { type NotePlace, useProject } from '../../shared/project/project-context';
import type { SavedNote } from '../../shared/project/project-notes';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { EmptyState } from '../../shared/ui/empty-state';
import { NoteArea } from './note-area';
import { NoteChoices, SavedSide } from './note-conflict';
import { useNoteEditor } from './note-editors';
import type { NoteStatus } from './note-status';
import { selectPart } from './select-part';
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
  /** The part of this note to select. */
  readonly request: NotePlace | null;
  readonly onFollowed: () => void;
}

const Failure = ({ sentence, onRetry }: { readonly sentence: string; readonly onRetry: () => void }) => (
  <Banner
    tone="bad"
    end={
      <Button size="s" onPress={onRetry}>
        Retry
      </Button>
    }
  >
    {sentence}
  </Banner>
);

/** One note: a box for those who may edit it, its text for the others. */
export function NoteBox({ note, saved, request, onFollowed }: NoteBoxProps) {
  const { viewer } = useProject();
  const editor = useNoteEditor(note, saved);
  const { state, failure, theirs, isTooLong } = useSyncExternalStore(editor.subscribe, editor.getSnapshot);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (request === null) return;
    if (area.current !== null) selectPart(area.current, request);
    onFollowed();
  }, [request, onFollowed]);
  const mayEdit = mayEditNote(viewer, note);
  const isEmpty = saved.text === '' && state === 'saved';
  if (!mayEdit && isEmpty) return <EmptyState icon={NotebookPen}>No notes (yet)</EmptyState>;
  const isConflict = theirs !== null;
  return (
    <div className={styles.note}>
      {(mayEdit || state !== 'saved') && <p className={`meta ${styles.state}`}>{STATES[state]}</p>}
      {theirs !== null && <NoteChoices editor={editor} theirs={theirs} onResolved={() => area.current?.focus()} />}
      {failure !== null && <Failure sentence={failure} onRetry={editor.retry} />}
      <div className={isConflict ? styles.sides : undefined}>
        <NoteArea
          ref={area}
          editor={editor}
          label={isConflict ? 'Your text' : LABELS[note]}
          hidesLabel={!isConflict}
          placeholder={PLACEHOLDERS[note]}
          isReadOnly={!mayEdit}
          error={isTooLong ? detailOf('limit.note') : undefined}
        />
        {theirs !== null && <SavedSide text={theirs} />}
      </div>
    </div>
  );
}
