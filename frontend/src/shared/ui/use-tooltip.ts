import { type DOMAttributes, type FocusEvent, type PointerEvent, type Ref, type RefObject, useImperativeHandle, useRef, useState } from 'react';

/** The events of a trigger that open and close its tooltip. */
export type TooltipEvents = Pick<DOMAttributes<HTMLButtonElement>, 'onPointerEnter' | 'onPointerLeave' | 'onPointerDown' | 'onFocus' | 'onBlur' | 'onKeyDown'>;

/** What a tooltip needs to know of its trigger. */
export interface Tip {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  /** The tooltip's own handlers, which it sets once its surface is loaded. */
  readonly events: RefObject<TooltipEvents>;
  /** True while a mouse or pen is on the button. */
  readonly isHovered: RefObject<boolean>;
  /** True from the first hover or keyboard focus on. */
  readonly isWanted: boolean;
}

/** Ties a native button to its tooltip: the button's own handlers run first, then the tooltip's. */
export const useTooltip = (ref: Ref<HTMLButtonElement> | undefined, own: TooltipEvents): Tip & { trigger: TooltipEvents & { ref: Ref<HTMLButtonElement> } } => {
  const anchor = useRef<HTMLButtonElement | null>(null);
  const events = useRef<TooltipEvents>({});
  const isHovered = useRef(false);
  const [isWanted, setWanted] = useState(false);
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => anchor.current, []);
  const forward =
    <Name extends keyof TooltipEvents>(name: Name) =>
    (event: Parameters<NonNullable<TooltipEvents[Name]>>[0]) => {
      own[name]?.(event as never);
      events.current[name]?.(event as never);
    };
  const enter = forward('onPointerEnter');
  const leave = forward('onPointerLeave');
  const focus = forward('onFocus');
  const trigger = {
    ref: anchor,
    onPointerEnter: (event: PointerEvent<HTMLButtonElement>) => {
      isHovered.current = event.pointerType !== 'touch';
      if (isHovered.current) setWanted(true);
      enter(event);
    },
    onPointerLeave: (event: PointerEvent<HTMLButtonElement>) => {
      isHovered.current = false;
      leave(event);
    },
    onFocus: (event: FocusEvent<HTMLButtonElement>) => {
      if (event.currentTarget.matches(':focus-visible')) setWanted(true);
      focus(event);
    },
    onPointerDown: forward('onPointerDown'),
    onBlur: forward('onBlur'),
    onKeyDown: forward('onKeyDown'),
  };
  return { anchor, events, isHovered, isWanted, trigger };
};
