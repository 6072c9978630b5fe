import { type ReactNode, Suspense } from 'react';
import { part } from './part';
import { loadDialog } from './surfaces';
import { useEver } from './use-ever';
import { useIsWanted } from './while-open';

const DialogSurface = part(loadDialog, { isOpen: ({ isOpen }) => isOpen, close: ({ onClose }) => onClose() });

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Called on Escape, the cross and a press outside. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the end, the primary one last. */
  readonly footer?: ReactNode;
  /** 22, 27, 38 or 56 rem wide. */
  readonly size?: 's' | 'm' | 'l' | 'xl';
  /** As high as the window allows, whatever it holds: for tabs, which then stay in their place. */
  readonly isTall?: boolean;
  /** For rows that run to both edges. */
  readonly isFlush?: boolean;
  /** Requires an answer: a press outside does not close it, and there is no cross. */
  readonly isAlert?: boolean;
}

/** A modal dialog that contains the focus and restores it. Its exit takes 250 ms: render it with `isOpen={false}`, or within WhileOpen. */
export function Dialog(props: DialogProps) {
  const isOpen = useIsWanted() && props.isOpen;
  const wanted = useEver(isOpen);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <DialogSurface {...props} isOpen={isOpen} />
    </Suspense>
  );
}
