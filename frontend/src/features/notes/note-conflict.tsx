import { useId } from 'react';
import { Button } from '../../shared/ui/button';
import type { NoteEditor } from './note-editor';
import styles from './notes.module.css';

interface NoteConflictProps {
  readonly editor: NoteEditor;
  /** The text that another user saved. */
  readonly theirs: string;
  /** Called when the conflict is resolved. */
  readonly onResolved: () => void;
}

/** The saved text beside the user's, and the ways out. Nothing is discarded until the user chooses. */
export function NoteConflict({ editor, theirs, onResolved }: NoteConflictProps) {
  const id = useId();
  const choose = (text: string) => {
    editor.resolve(text);
    onResolved();
  };
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        Saved text
      </label>
      <textarea id={id} className={`input ${styles.area}`} rows={14} readOnly value={theirs} />
      <div className={styles.choices}>
        <Button size="s" onPress={() => choose(editor.text)}>
          Save your text
        </Button>
        <Button size="s" variant="outline" onPress={() => choose(theirs)}>
          Use the saved text
        </Button>
        <Button size="s" variant="quiet" onPress={() => choose(`${theirs}\n\n${editor.text}`)}>
          Keep both
        </Button>
      </div>
    </div>
  );
}
