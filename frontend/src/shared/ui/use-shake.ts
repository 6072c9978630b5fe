import { useState } from 'react';

/** Shakes an element for 400 ms, when a press has nothing to apply to. */
export function useShake() {
  const [shakes, setShakes] = useState(false);
  return { shake: () => setShakes(true), shaken: { className: shakes ? 'shakes' : undefined, onAnimationEnd: () => setShakes(false) } };
}
