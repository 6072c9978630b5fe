import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient, QueryKey } from '@tanstack/react-query';

interface MaybeTagged {
  readonly taggedRegions?: readonly { readonly _id: Id }[];
}

/** Takes the tags of removed regions from a cached list of posts. */
export function dropTags(cache: QueryClient, listKey: QueryKey, regionIds: ReadonlySet<Id>): void {
  const isTagged = ({ taggedRegions }: MaybeTagged) => taggedRegions?.some(({ _id }) => regionIds.has(_id)) === true;
  const untagged = (post: MaybeTagged) => ({ ...post, taggedRegions: post.taggedRegions?.filter(({ _id }) => !regionIds.has(_id)) });
  cache.setQueryData<readonly MaybeTagged[]>(listKey, (list) => (list?.some(isTagged) ? list.map((post) => (isTagged(post) ? untagged(post) : post)) : list));
}
