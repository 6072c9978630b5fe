import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';

/** A post on the timeline of a version. */
export interface PostPin {
  readonly id: Id;
  /** Seconds. */
  readonly at: number;
  readonly person: { readonly name: string; readonly photo: string };
  readonly kind: 'comment' | 'todo';
}

interface StampedPost {
  readonly _id: Id;
  readonly user: PersonView | null;
  readonly stamp?: Stamp | null;
}

/** The posts with a timestamp in this version. */
export const postPins = (kind: PostPin['kind'], posts: readonly StampedPost[], versionId: Id | null): readonly PostPin[] =>
  posts.flatMap(({ _id, user, stamp }) => {
    if (user === null || !stamp || stamp.versionId !== versionId) return [];
    return [{ id: _id, at: stamp.at, person: { name: fullName(user), photo: user.smallPhoto }, kind }];
  });
