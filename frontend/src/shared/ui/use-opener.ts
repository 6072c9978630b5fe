import { type KeyboardEvent, type Ref, type RefObject, useId, useRef, useState } from 'react';

/** Props that make a button open a surface: spread them on a Button or an IconButton. */
export interface TriggerProps {
  readonly ref: Ref<HTMLButtonElement>;
  readonly 'aria-haspopup': 'menu' | 'listbox' | 'dialog';
  readonly 'aria-expanded': boolean;
  readonly 'aria-controls': string | undefined;
  readonly onPress: () => void;
  readonly onPointerEnter: () => void;
  readonly onFocus: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export interface Opener {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly id: string;
  readonly isOpen: boolean;
  /** Where a list starts: the up arrow opens it on its last item. */
  readonly from: 'first' | 'last';
  readonly setOpen: (isOpen: boolean) => void;
  readonly trigger: TriggerProps;
}

/** For the surface of an opener, whose code may fail to load. */
export const OPENED = {
  isOpen: ({ opener }: { readonly opener: Opener }): boolean => opener.isOpen,
  close: ({ opener }: { readonly opener: Opener }): void => opener.setOpen(false),
};

interface OpenerOptions {
  readonly kind: TriggerProps['aria-haspopup'];
  /** Preloads the surface, on hover and focus. */
  readonly load: () => Promise<unknown>;
  readonly isOpen?: boolean | undefined;
  readonly onOpenChange?: ((isOpen: boolean) => void) | undefined;
}

/** The open state of a surface and the props of its trigger; arrow keys open lists, as native menus do. */
export const useOpener = ({ kind, load, isOpen: given, onOpenChange }: OpenerOptions): Opener => {
  const anchor = useRef<HTMLButtonElement | null>(null);
  const id = useId();
  const [own, setOwn] = useState(false);
  const [from, setFrom] = useState<Opener['from']>('first');
  const isOpen = given ?? own;

  const setOpen = (open: boolean) => {
    setOwn(open);
    onOpenChange?.(open);
  };
  const open = (end: Opener['from']) => {
    setFrom(end);
    setOpen(true);
  };
  // A failed preload is reported when the surface is opened.
  const fetchAhead = () => void load().catch(() => undefined);
  const onKeyDown = (event: KeyboardEvent) => {
    if (kind === 'dialog' || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    open(event.key === 'ArrowUp' ? 'last' : 'first');
  };
  return {
    anchor,
    id,
    isOpen,
    from,
    setOpen,
    trigger: {
      ref: anchor,
      'aria-haspopup': kind,
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? id : undefined,
      onPress: () => (isOpen ? setOpen(false) : open('first')),
      onPointerEnter: fetchAhead,
      onFocus: fetchAhead,
      onKeyDown,
    },
  };
};
