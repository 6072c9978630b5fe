import type { ReactNode } from 'react';
import { errorMessage } from '../api/api-errors';
import { Banner } from './banner';
import { Button } from './button';
import { Dialog } from './dialog';

export interface ConfirmDialogProps {
  /** 'Remove 2.1?' */
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  /** The question in a sentence. */
  readonly children: ReactNode;
  /** What is kept. */
  readonly stays?: ReactNode;
  /** How it can be undone, in small print. */
  readonly hint?: ReactNode;
  /** 'Remove version' */
  readonly confirm: string;
  /** 'Keep it' */
  readonly cancel?: string;
  readonly isDanger?: boolean;
  readonly isPending?: boolean;
  /** Why it failed. */
  readonly error?: Error | null;
}

/** Asks before something is deleted and says what is kept. The focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, isOpen, onClose, onConfirm, children, stays, hint, confirm, cancel = 'Cancel', isDanger = true, isPending, error = null } = props;
  const buttons = (
    <>
      {/* Enter pressed in haste must not delete anything. */}
      <Button onPress={onClose} autoFocus>
        {cancel}
      </Button>
      <Button variant={isDanger ? 'danger' : 'primary'} onPress={onConfirm} isPending={isPending}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} isAlert footer={buttons}>
      <p>{children}</p>
      {stays !== undefined && <p className="stays">{stays}</p>}
      {error !== null && <Banner tone="bad">{errorMessage(error)}</Banner>}
      {hint !== undefined && <p className="hint">{hint}</p>}
    </Dialog>
  );
}
