import { prefersReducedMotion } from '../hooks/use-media';

/** As `--t-modal` in the tokens. */
const FADE_MS = 250;

/** Fades an element out, then calls `onDone`: at once without an element, or if the user prefers reduced motion. */
export function fadeOut(element: HTMLElement | null, onDone: () => void): void {
  if (element === null || typeof element.animate !== 'function' || prefersReducedMotion()) return onDone();
  const fade = element.animate({ opacity: [1, 0] }, { duration: FADE_MS, easing: 'ease-in', fill: 'forwards' });
  fade.onfinish = () => {
    onDone();
    // The element is gone by now, unless the removal was undone while it faded.
    requestAnimationFrame(() => fade.cancel());
  };
}
