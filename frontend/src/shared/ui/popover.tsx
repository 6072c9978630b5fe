import { type ReactNode, Suspense } from 'react';
import { part } from './part';
import { loadPopover } from './surfaces';
import { useEver } from './use-ever';
import { OPENED, type Opener, type TriggerProps, useOpener } from './use-opener';

const PopoverSurface = part(loadPopover, OPENED);

export interface PopoverProps {
  /** The accessible name of the surface. */
  readonly label: string;
  readonly trigger: (props: TriggerProps) => ReactNode;
  readonly children: (close: () => void) => ReactNode;
  readonly placement?: 'bottom' | 'bottom start' | 'bottom end' | 'top' | 'top start' | 'top end';
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly className?: string;
}

export interface PopoverSurfaceProps extends Pick<PopoverProps, 'label' | 'placement' | 'className'> {
  readonly opener: Opener;
  readonly children: ReactNode;
}

/** A small surface at its trigger that contains the focus until Escape or a press outside. */
export function Popover({ label, trigger, children, placement, isOpen, onOpenChange, className }: PopoverProps) {
  const opener = useOpener({ kind: 'dialog', load: loadPopover, isOpen, onOpenChange });
  const wanted = useEver(opener.isOpen);
  return (
    <>
      {trigger(opener.trigger)}
      {wanted && (
        <Suspense fallback={null}>
          <PopoverSurface opener={opener} label={label} placement={placement} className={className}>
            {children(() => opener.setOpen(false))}
          </PopoverSurface>
        </Suspense>
      )}
    </>
  );
}
