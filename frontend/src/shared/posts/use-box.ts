import { useRef } from 'react';

/** A text box, and a wrapper for the actions of buttons beside it that become disabled or disappear when pressed: the box then takes the focus. */
export function useBox() {
  const box = useRef<HTMLTextAreaElement>(null);
  const toBoxAfter = (action: () => void) => () => {
    // Only where the focus shows, as with the keyboard: after a tap, a phone would open its keyboard.
    if (document.activeElement?.matches(':focus-visible')) box.current?.focus();
    action();
  };
  return { box, toBoxAfter };
}
