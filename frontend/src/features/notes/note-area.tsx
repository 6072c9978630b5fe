import { type ReactNode, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { classNames } from '../../shared/ui/class-names';
import { Field } from '../../shared/ui/field';
import type { NoteEditor } from './note-editor';
import styles from './notes.module.css';

interface NoteAreaProps {
  readonly editor: NoteEditor;
  readonly label: string;
  readonly hidesLabel: boolean;
  readonly placeholder: string;
  readonly isReadOnly: boolean;
  readonly error: ReactNode;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** Shows what others saved, and leaves caret, selection and scroll position where the user has them. */
function useMergedText(editor: NoteEditor) {
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(
    () =>
      editor.onMerged(({ text, moved }) => {
        const { current } = area;
        if (current === null) return;
        const { selectionStart, selectionEnd, selectionDirection, scrollTop } = current;
        current.value = text;
        current.setSelectionRange(moved(selectionStart), moved(selectionEnd), selectionDirection);
        current.scrollTop = scrollTop;
      }),
    [editor],
  );
  return area;
}

/** The box of a note. Uncontrolled: React does not have to compare 60,000 characters with every letter typed. */
export function NoteArea({ editor, label, hidesLabel, placeholder, isReadOnly, error, ref }: NoteAreaProps) {
  const area = useMergedText(editor);
  useImperativeHandle<HTMLTextAreaElement | null, HTMLTextAreaElement | null>(ref, () => area.current, [area]);
  return (
    <Field label={label} hidesLabel={hidesLabel} error={error}>
      {(control) => (
        <textarea
          {...control}
          ref={area}
          className={classNames('input', styles.area, isReadOnly && styles.reading)}
          rows={14}
          placeholder={placeholder}
          defaultValue={editor.text}
          readOnly={isReadOnly}
          onInput={(event) => editor.type(event.currentTarget.value)}
          onCompositionStart={() => editor.compose(true)}
          onCompositionEnd={() => editor.compose(false)}
        />
      )}
    </Field>
  );
}
