import { lazy, type ReactNode, Suspense } from 'react';
import { loadDialog } from './surfaces';
import { useEver } from './use-ever';

const DialogSurface = lazy(loadDialog);

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Asked for by Escape, by the cross and by a press beside it. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the end, the primary one last. */
  readonly footer?: ReactNode;
  /** 22, 27 or 38 rem wide. */
  readonly size?: 's' | 'm' | 'l';
  /** For rows that run to both edges. */
  readonly isFlush?: boolean;
  /** An answer is needed: a press beside it does not close it, and there is no cross. */
  readonly isAlert?: boolean;
}

/** A window over the page that keeps the focus and gives it back; it leaves in 250 ms. */
export function Dialog(props: DialogProps) {
  const wanted = useEver(props.isOpen);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <DialogSurface {...props} />
    </Suspense>
  );
}
