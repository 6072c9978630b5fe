import type { TaggedRegionView } from '@roughmix/contracts/regions/region.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import { useState } from 'react';
import { useProject } from '../project/project-context';
import { draftKey, useStored } from '../writing/drafts';
import { readStored, writeStored } from '../writing/tab-storage';

export interface EditedPost {
  readonly _id: Id;
  readonly content: string;
  readonly stamp: Stamp | null;
  readonly taggedRegions: readonly TaggedRegionView[];
}

/** What an edit makes of a post. */
export interface EditDraft {
  readonly text: string;
  readonly hasStamp: boolean;
  /** The region that it is tagged with. */
  readonly regionId: Id | null;
}

function useKey(postId: Id): string {
  const { user, projectId } = useProject();
  return draftKey(user.uid, projectId, 'edit', postId);
}

/** Whether this tab has an unsaved edit of the post, at the first render. */
export function useHasEdit(postId: Id): boolean {
  const key = useKey(postId);
  const [hasEdit] = useState(() => readStored(key) !== null);
  return hasEdit;
}

/** An edit that is kept in this tab until it is saved or cancelled. */
export function useEditDraft({ _id, content, stamp, taggedRegions: [tagged] }: EditedPost) {
  const key = useKey(_id);
  const before: EditDraft = { text: toTyped(content), hasStamp: stamp !== null, regionId: tagged?._id ?? null };
  const isUnchanged = ({ text, hasStamp, regionId }: EditDraft) => text === before.text && hasStamp === before.hasStamp && regionId === before.regionId;
  const [draft, save] = useStored(key, before, isUnchanged);
  return {
    before,
    draft,
    change: (changes: Partial<EditDraft>) => save({ ...draft, ...changes }),
    discard: () => writeStored(key, null),
  };
}
