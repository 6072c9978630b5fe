import { type FocusEvent, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { prefersReducedMotion } from '../../shared/hooks/use-media';
import { classNames } from '../../shared/ui/class-names';
import { type TriggerProps, useOpener } from '../../shared/ui/use-opener';
import styles from './popover-form.module.css';

const CLOSE_MS = 500;

export interface PopoverFormProps {
  /** The accessible name of the surface. */
  readonly label: string;
  readonly trigger: (props: TriggerProps) => ReactNode;
  readonly children: ReactNode;
  /** The edge of the button that the surface is aligned with. */
  readonly edge?: 'start' | 'end';
  readonly onOpenChange?: (isOpen: boolean) => void;
}

/** Keeps the surface in the page while it leaves. */
function useLeaving(isOpen: boolean): boolean {
  const [isShown, setShown] = useState(isOpen);
  if (isOpen && !isShown) setShown(true);
  useEffect(() => {
    if (isOpen) return undefined;
    const timer = setTimeout(() => setShown(false), prefersReducedMotion() ? 0 : CLOSE_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);
  return !isOpen && isShown;
}

function usePressOutside(place: RefObject<HTMLElement | null>, isOpen: boolean, onPress: () => void) {
  const press = useRef(onPress);
  useEffect(() => {
    press.current = onPress;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const listen = ({ target }: PointerEvent) => {
      if (target instanceof Node && place.current?.contains(target) !== true) press.current();
    };
    document.addEventListener('pointerdown', listen);
    return () => document.removeEventListener('pointerdown', listen);
  }, [place, isOpen]);
}

/**
 * A form at its button, on pages that load no dialogs. The focus moves to its first field; Escape closes it and returns the focus.
 * Under 917 px it is placed in the nearest positioned ancestor, such as the page's bar.
 */
export function PopoverForm({ label, trigger, children, edge = 'end', onOpenChange }: PopoverFormProps) {
  const { anchor, id, isOpen, setOpen, trigger: props } = useOpener({ kind: 'dialog', load: () => Promise.resolve(), onOpenChange });
  const place = useRef<HTMLDivElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const isLeaving = useLeaving(isOpen);
  const close = () => setOpen(false);
  usePressOutside(place, isOpen, close);
  useEffect(() => {
    if (isOpen) surface.current?.querySelector('input')?.focus();
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    close();
    anchor.current?.focus();
  };
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) close();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to what its button and its form leave unhandled
    <div ref={place} className={styles.place} onKeyDown={onKeyDown} onBlur={isOpen ? onBlur : undefined}>
      {trigger(props)}
      {(isOpen || isLeaving) && (
        <div
          ref={surface}
          id={id}
          role="dialog"
          aria-label={label}
          className={classNames(styles.surface, edge === 'start' && styles.atStart, isLeaving && styles.leaves)}
          inert={isLeaving}
        >
          {children}
        </div>
      )}
    </div>
  );
}
