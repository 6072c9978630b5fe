import type { Id } from '@roughmix/contracts/shared/ids.js';
import { useEffect, useRef } from 'react';
import { useToast } from '../../shared/ui/toast-queue';
import type { Thread } from './comment-threads';
import { type Draft, draftKey, readKept, writeKept } from './kept-drafts';
import type { Surroundings } from './surroundings';

/** Saves what somebody was writing below a comment that another one removed: `takeBack` gets the words, and a toast says where they are. */
export function useAnswersWithoutThread({ user, projectId }: Surroundings, threads: readonly Thread[], takeBack: ((text: string) => void) | null): void {
  const toaster = useToast();
  const before = useRef<ReadonlySet<Id>>(new Set());
  useEffect(() => {
    const open = new Set(threads.flatMap(({ first }) => (first.removed ? [] : [first._id])));
    const closed = [...before.current].filter((id) => !open.has(id));
    before.current = open;
    for (const id of closed) {
      const key = draftKey(user.uid, projectId, id);
      const draft = readKept<Draft>(key);
      if (draft === null || takeBack === null) continue;
      writeKept(key, null);
      takeBack(draft.text);
      toaster.show({ kind: 'warning', message: 'The comment you were answering was removed. What you wrote is in the box for new comments.' });
    }
  });
}
