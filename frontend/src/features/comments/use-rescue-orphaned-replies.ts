import type { Id } from '@roughmix/contracts/shared/ids.js';
import { useEffect, useRef } from 'react';
import { useProject } from '../../shared/project/project-context';
import { useToast } from '../../shared/ui/toast-queue';
import { takeDraft } from '../../shared/writing/drafts';
import { type CommentDraft, commentDraftKey } from './comment-draft';
import type { Thread } from './comment-threads';

/** When a comment is removed while the user is replying to it, hands the reply's draft to `takeBack` and shows a toast that says so. */
export function useRescueOrphanedReplies(threads: readonly Thread[], takeBack: ((text: string) => void) | null): void {
  const { user, projectId } = useProject();
  const toaster = useToast();
  const before = useRef<ReadonlySet<Id>>(new Set());
  useEffect(() => {
    const open = new Set(threads.flatMap(({ first }) => (first.removed ? [] : [first._id])));
    const closed = [...before.current].filter((id) => !open.has(id));
    before.current = open;
    if (takeBack === null) return;
    for (const id of closed) {
      const draft = takeDraft<CommentDraft>(commentDraftKey(user.uid, projectId, id));
      if (draft === null) continue;
      takeBack(draft.text);
      toaster.show({ kind: 'warning', message: 'The comment you were replying to was removed. Your draft is now in the box for new comments.' });
    }
  });
}
