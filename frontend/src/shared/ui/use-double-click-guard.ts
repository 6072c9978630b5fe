import { type MouseEvent, useRef } from 'react';

const GUARD_MS = 300;

/** Recognises the second click of a double click, which would undo what the first did. Presses of a key are never one. */
export function useDoubleClickGuard(): (event: MouseEvent) => boolean {
  const last = useRef(Number.NEGATIVE_INFINITY);
  return ({ detail, timeStamp }) => {
    const isSecond = detail > 1 && timeStamp - last.current < GUARD_MS;
    last.current = timeStamp;
    return isSecond;
  };
}
