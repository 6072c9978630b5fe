import type { Push } from '@roughmix/contracts/live.js';
import type { QueryClient } from '@tanstack/react-query';

type OfType<P, Type> = P extends { readonly type: infer Types } ? (Type extends Types ? P & { readonly type: Type } : never) : never;

/** The messages of one type. */
export type PushOf<Type extends Push['type']> = OfType<Push, Type>;
/** What to do to the cache for each type of message; a slice names the types that concern it. */
export type LiveHandlers = { readonly [Type in Push['type']]?: (cache: QueryClient, push: PushOf<Type>) => void };

type AnyHandler = (cache: QueryClient, push: Push) => void;

/** Gives a message to the handler of its type, if there is one. */
export function handle(handlers: LiveHandlers, cache: QueryClient, push: Push): void {
  // The map pairs each type with a handler of just that type, which the compiler cannot follow through the lookup.
  const handler = handlers[push.type] as AnyHandler | undefined;
  handler?.(cache, push);
}
