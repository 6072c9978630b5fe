import type { Id } from '@roughmix/contracts/shared/ids.js';
import { useSyncExternalStore } from 'react';
import type { Outbox, Outgoing } from '../writing/outbox';

/** The user's posts that the list does not show yet. */
export function useUnsent<Post>(outbox: Outbox<Post>, posts: readonly { readonly _id: Id }[]): readonly Outgoing<Post>[] {
  return useSyncExternalStore(outbox.subscribe, outbox.getSnapshot).filter(({ sentAs }) => !posts.some(({ _id }) => _id === sentAs));
}
