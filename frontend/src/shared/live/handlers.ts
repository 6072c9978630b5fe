import type { Push } from '@roughmix/contracts/live.js';
import type { QueryClient } from '@tanstack/react-query';
import type { LiveChannel } from './channels';

type OfType<P, Type> = P extends { readonly type: infer Types } ? (Type extends Types ? P & { readonly type: Type } : never) : never;

/** The pushes of one type. */
export type PushOf<Type extends Push['type']> = OfType<Push, Type>;
/** How the cache changes for each type of push. A feature handles the types that concern it. */
export type LiveHandlers = { readonly [Type in Push['type']]?: (cache: QueryClient, push: PushOf<Type>) => void };

/** A part of the page that handles pushes. */
export interface LiveSubscriber {
  readonly channels: readonly LiveChannel[];
  readonly handlers: LiveHandlers;
  /** What to do for this tab's own changes: only for what the answers to commands leave out. They must accept what the cache has already. */
  readonly ownHandlers?: LiveHandlers;
  /** Called when pushes were missed for good: refetch what they would have changed. */
  readonly onMissed?: (cache: QueryClient) => void;
}

type AnyHandler = (cache: QueryClient, push: Push) => void;

/** Passes a push to the handler of its type, if there is one. */
export function handle(handlers: LiveHandlers, cache: QueryClient, push: Push): void {
  // `LiveHandlers` maps each type to a handler for that type, but the compiler loses this relation in the lookup.
  const handler = handlers[push.type] as AnyHandler | undefined;
  handler?.(cache, push);
}
