import type { Id, Instant, Position } from '@roughmix/contracts/shared/ids.js';
import type { OutgoingPost } from './new-post';

/** A post with its replies, the oldest first. */
export interface Thread<First, Reply> {
  readonly first: First;
  readonly replies: readonly Reply[];
}

/** Compares by identity: a changed post is another object. */
export const isSameThread = <First, Reply>(a: Thread<First, Reply>, b: Thread<First, Reply>): boolean =>
  a.first === b.first && a.replies.length === b.replies.length && a.replies.every((reply, at) => reply === b.replies[at]);

/** Orders posts by when they were written. */
export const byDate = (
  a: { readonly dateAdded: Instant; readonly position: Position },
  b: { readonly dateAdded: Instant; readonly position: Position },
): number => a.dateAdded - b.dateAdded || a.position - b.position;

/** Replies by the id of their parent, the oldest first. */
export function repliesByParent<Reply extends { readonly dateAdded: Instant; readonly position: Position }>(
  replies: readonly Reply[],
  parentOf: (reply: Reply) => Id | null,
): ReadonlyMap<Id, readonly Reply[]> {
  const byParent = new Map<Id, Reply[]>();
  for (const reply of replies.toSorted(byDate)) {
    const parentId = parentOf(reply) ?? '';
    const known = byParent.get(parentId);
    if (known === undefined) byParent.set(parentId, [reply]);
    else known.push(reply);
  }
  return byParent;
}

/** Takes removed replies out of the ids of their parents, which may arrive with a later message. */
export const withoutReplyIds = <Post extends { readonly replyIds: readonly Id[] }>(posts: readonly Post[], removed: ReadonlySet<Id>): readonly Post[] =>
  posts.map((post) => (post.replyIds.some((id) => removed.has(id)) ? { ...post, replyIds: post.replyIds.filter((id) => !removed.has(id)) } : post));

/** The label of the button that opens the replies. */
export const repliesLabel = (count: number): string => (count === 0 ? 'Reply' : count === 1 ? '1 Reply' : `${count} Replies`);

/** The unsent replies to a post. Always the same empty list for none, to avoid rendering their threads again. */
export function repliesTo<Post extends OutgoingPost>(id: Id, unsent: readonly Post[]): readonly Post[] {
  const replies = unsent.filter(({ parentId }) => parentId === id);
  return replies.length === 0 ? NONE : replies;
}

const NONE: readonly never[] = [];
