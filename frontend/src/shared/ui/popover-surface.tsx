import { Dialog } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { classNames } from './class-names';
import type { PopoverSurfaceProps } from './popover';
import './popover.css';
import './keyboard-presses';

/** Loaded by popover.tsx when it is first needed. */
export function PopoverSurface({ opener, label, placement = 'bottom end', className, children }: PopoverSurfaceProps) {
  return (
    <Popover className={classNames('popover', className)} triggerRef={opener.anchor} isOpen={opener.isOpen} onOpenChange={opener.setOpen} placement={placement}>
      <Dialog aria-label={label} id={opener.id}>
        {children}
      </Dialog>
    </Popover>
  );
}
