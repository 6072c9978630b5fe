import { X } from 'lucide-react';
import { Dialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { ShortcutScopeContext, useDialogScope } from '../shortcuts/use-shortcuts';
import { classNames } from './class-names';
import type { DialogProps } from './dialog';
import './dialog.css';
import { IconButton } from './icon-button';
import './keyboard-presses';

/** Loaded by dialog.tsx when it is first needed. */
export function DialogSurface({ title, isOpen, onClose, children, footer, size = 'm', isTall, isFlush, isAlert }: DialogProps) {
  const scope = useDialogScope(isOpen);
  const onOpenChange = (open: boolean) => {
    if (!open) onClose();
  };
  return (
    <ModalOverlay className="scrim" isOpen={isOpen} onOpenChange={onOpenChange} isDismissable={!isAlert}>
      <Modal className={classNames('modal', size !== 'm' && size, isTall && 'tall')}>
        <Dialog className="dialog" role={isAlert ? 'alertdialog' : 'dialog'}>
          <header className="head">
            <Heading slot="title" level={2} className="wide h-page">
              {title}
            </Heading>
            {!isAlert && <IconButton label="Close" icon={X} iconSize={18} size="s" onPress={onClose} />}
          </header>
          <ShortcutScopeContext value={scope}>
            <div className={classNames('body', isFlush && 'flush')}>{children}</div>
            {footer !== undefined && <footer className="foot">{footer}</footer>}
          </ShortcutScopeContext>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
