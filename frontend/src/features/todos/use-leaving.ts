import type { Id } from '@roughmix/contracts/shared/ids.js';
import { useEffect, useState } from 'react';
import { prefersReducedMotion } from '../../shared/hooks/use-media';
import type { TodoThread } from './todo-threads';

const SLIDE_MS = 300;
const NONE: ReadonlySet<Id> = new Set();

/** The todos that were just completed, by anyone: they stay among the active ones until they have slid out. */
export function useLeaving(threads: readonly TodoThread[]): ReadonlySet<Id> {
  const [before, setBefore] = useState(threads);
  const [leaving, setLeaving] = useState(NONE);
  if (before !== threads) {
    setBefore(threads);
    const wasActive = new Set(before.flatMap(({ first }) => (first.completed ? [] : [first._id])));
    const completed = threads.flatMap(({ first }) => (first.completed && wasActive.has(first._id) ? [first._id] : []));
    if (completed.length > 0) setLeaving(new Set([...leaving, ...completed]));
  }
  useEffect(() => {
    if (leaving.size === 0) return undefined;
    const wait = prefersReducedMotion() ? 0 : SLIDE_MS;
    const timer = setTimeout(() => setLeaving(NONE), wait);
    return () => clearTimeout(timer);
  }, [leaving]);
  return leaving;
}
