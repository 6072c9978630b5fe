import type { Stamp } from '@roughmix/contracts/shared/marks.js';

/** A post that is being written. */
export interface PostDraft {
  readonly text: string;
  readonly stamp: Stamp | null;
}

export const EMPTY_DRAFT: PostDraft = { text: '', stamp: null };
