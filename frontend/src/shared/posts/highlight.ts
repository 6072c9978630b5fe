import type { Id } from '@roughmix/contracts/shared/ids.js';
import { type RefObject, useEffect, useRef } from 'react';

/** A request to show one post. `requestId` counts up, so that the same post can be requested again. */
export interface Highlight {
  readonly id: Id;
  readonly requestId: number;
}

/** The last request to highlight a post; 0 for none. */
export const requestFor = (highlight: Highlight | null, id: Id): number => (highlight?.id === id ? highlight.requestId : 0);

/** The highlight if it is one of these posts, to avoid rendering other threads again. */
export const highlightIn = (posts: readonly { readonly _id: Id }[], highlight: Highlight | null): Highlight | null =>
  posts.some(({ _id }) => _id === highlight?.id) ? highlight : null;

/** Scrolls to the element and focuses it at each request. */
export function useHighlight<Element extends HTMLElement>(request: number): RefObject<Element | null> {
  const element = useRef<Element>(null);
  useEffect(() => {
    const { current } = element;
    if (request === 0 || current === null) return;
    current.scrollIntoView({ block: 'center' });
    current.focus({ preventScroll: true });
  }, [request]);
  return element;
}

/** Two classes in turn restart the animation. */
export const highlightClass = (request: number): string | false =>
  request > 0 && (request % 2 === 0 ? 'is-highlighted is-highlighted-again' : 'is-highlighted');
