import { type ReactNode, useDeferredValue } from 'react';

/** Updates its children after the rest of the page has been painted, so that input on one part of a large page does not wait for the others. */
export function Deferred({ children }: { readonly children: ReactNode }) {
  return useDeferredValue(children);
}
