import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { keepBoth } from './merge-saved';
import type { NoteEditor } from './note-editor';
import styles from './notes.module.css';

interface NoteChoicesProps {
  readonly editor: NoteEditor;
  /** The text that another user saved. */
  readonly theirs: string;
  /** Called when the conflict is resolved. */
  readonly onResolved: () => void;
}

/** The ways out of a conflict. Nothing is discarded until the user chooses. */
export function NoteChoices({ editor, theirs, onResolved }: NoteChoicesProps) {
  const choose = (text: string) => {
    editor.resolve(text);
    onResolved();
  };
  return (
    <>
      <Banner tone="warn" icon={CircleAlert}>
        {detailOf('note.conflict')}
      </Banner>
      <div className={styles.choices}>
        <Button size="s" onPress={() => choose(editor.text)}>
          Save your text
        </Button>
        <Button size="s" onPress={() => choose(theirs)}>
          Use the saved text
        </Button>
        <Button size="s" onPress={() => choose(keepBoth(theirs, editor.text))}>
          Keep both
        </Button>
      </div>
    </>
  );
}

/** What another user saved, beside the user's own text. */
export function SavedSide({ text }: { readonly text: string }) {
  const id = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        The saved text
      </label>
      <textarea id={id} className={`input ${styles.area}`} rows={14} readOnly value={text} />
    </div>
  );
}
