import type { Id } from '@roughmix/contracts/shared/ids.js';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useHasEdit } from './edit-draft';

interface EditableProps {
  readonly postId: Id;
  /** null for what cannot be edited. */
  readonly editor: ((onDone: () => void) => ReactNode) | null;
  /** Shown while nothing is edited; the button that begins an edit has the class `edit`. */
  readonly children: (onEdit: () => void) => ReactNode;
}

/** Swaps a text for its editor. An unsaved edit opens it again. After an edit the focus returns to the button that began it. */
export function Editable({ postId, editor, children }: EditableProps) {
  const [isEdited, setEdited] = useState(useHasEdit(postId));
  const view = useRef<HTMLDivElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    if (wasEdited.current && !isEdited) view.current?.querySelector<HTMLElement>('.edit')?.focus({ preventScroll: true });
    wasEdited.current = isEdited;
  }, [isEdited]);
  if (isEdited && editor !== null) return editor(() => setEdited(false));
  return (
    <div className="editable" ref={view}>
      {children(() => setEdited(true))}
    </div>
  );
}
