import { type ReactNode, useEffect, useRef, useState } from 'react';

interface EditableProps {
  /** null for what cannot be edited. */
  readonly editor: ((onDone: () => void) => ReactNode) | null;
  /** Shown while nothing is edited; the button that begins an edit has the class `edit`. */
  readonly children: (onEdit: () => void) => ReactNode;
}

/** Swaps a text for its editor. After an edit the focus returns to the button that began it. */
export function Editable({ editor, children }: EditableProps) {
  const [isEdited, setEdited] = useState(false);
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
