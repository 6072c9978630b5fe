import {
  type FocusEvent,
  type FocusEventHandler,
  type KeyboardEvent,
  type KeyboardEventHandler,
  type PointerEvent,
  type PointerEventHandler,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';

const OPEN_AFTER_MS = 600;
const WARM_FOR_MS = 400;

let lastClosedAt = Number.NEGATIVE_INFINITY;

interface OwnHandlers {
  readonly onPointerEnter?: PointerEventHandler<HTMLButtonElement>;
  readonly onPointerLeave?: PointerEventHandler<HTMLButtonElement>;
  readonly onPointerDown?: PointerEventHandler<HTMLButtonElement>;
  readonly onFocus?: FocusEventHandler<HTMLButtonElement>;
  readonly onBlur?: FocusEventHandler<HTMLButtonElement>;
  readonly onKeyDown?: KeyboardEventHandler<HTMLButtonElement>;
}

/** What a tooltip needs to know of its trigger. */
export interface Tip {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** A timer and an open state: the first tooltip waits, the next one beside it does not. */
const useRestingOpen = () => {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const openLater = () => {
    const isWarm = performance.now() - lastClosedAt < WARM_FOR_MS;
    // A pointer may enter twice without leaving, when what lay over the button goes.
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(true), isWarm ? 0 : OPEN_AFTER_MS);
  };
  const close = () => {
    clearTimeout(timer.current);
    if (isOpen) lastClosedAt = performance.now();
    setOpen(false);
  };
  return { isOpen, setOpen, openLater, close };
};

/** Opens on rest of the mouse and on keyboard focus, closes on leave, press and Escape; never opens by touch. */
export const useTooltip = (ref: Ref<HTMLButtonElement> | undefined, own: OwnHandlers): Tip & { trigger: OwnHandlers & { ref: Ref<HTMLButtonElement> } } => {
  const anchor = useRef<HTMLButtonElement | null>(null);
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => anchor.current, []);
  const { isOpen, setOpen, openLater, close } = useRestingOpen();
  const trigger = {
    ref: anchor,
    onPointerEnter: (event: PointerEvent<HTMLButtonElement>) => {
      own.onPointerEnter?.(event);
      if (event.pointerType !== 'touch') openLater();
    },
    onPointerLeave: (event: PointerEvent<HTMLButtonElement>) => {
      close();
      own.onPointerLeave?.(event);
    },
    onPointerDown: (event: PointerEvent<HTMLButtonElement>) => {
      close();
      own.onPointerDown?.(event);
    },
    onFocus: (event: FocusEvent<HTMLButtonElement>) => {
      own.onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) setOpen(true);
    },
    onBlur: (event: FocusEvent<HTMLButtonElement>) => {
      close();
      own.onBlur?.(event);
    },
    onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
      close();
      own.onKeyDown?.(event);
    },
  };
  return { anchor, isOpen, onOpenChange: setOpen, trigger };
};
