import type { Id } from '@roughmix/contracts/shared/ids.js';
import { useEffect, useRef } from 'react';
import { useToast } from '../ui/toast-queue';
import { takeDraft } from '../writing/drafts';
import type { PostDraft } from './post-draft';

interface Rescue {
  /** What was removed, such as 'comment'. */
  readonly noun: string;
  /** The posts that can be replied to. */
  readonly open: readonly Id[];
  readonly draftKeyOf: (parentId: Id) => string;
  /** Null for viewers without the right to write. */
  readonly takeBack: ((text: string) => void) | null;
}

/** When a post is removed while the user is replying to it, hands the reply's draft to `takeBack` and shows a toast that says so. */
export function useRescueOrphanedReplies({ noun, open, draftKeyOf, takeBack }: Rescue): void {
  const toaster = useToast();
  const before = useRef<ReadonlySet<Id>>(new Set());
  useEffect(() => {
    const now = new Set(open);
    const closed = [...before.current].filter((id) => !now.has(id));
    before.current = now;
    if (takeBack === null) return;
    for (const id of closed) {
      const draft = takeDraft<PostDraft>(draftKeyOf(id));
      if (draft === null) continue;
      takeBack(draft.text);
      toaster.show({ kind: 'warning', message: `The ${noun} you were replying to was removed. Your draft is now in the box for new ${noun}s.` });
    }
  });
}
