import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { Refused } from '../../kernel/refusal.js';

/** The query of a paged list, as it was sent. */
export interface PageQuery {
  readonly before?: unknown;
  readonly limit?: unknown;
}

/** A page of a list that is newest first: the items before a position, all if null. */
export interface PageRequest {
  readonly before: number | null;
  readonly limit: number;
}

/** A page, and the cursor of the next older one; null on the last page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

const DIGITS = /^\d{1,15}$/;
const DEFAULT_LIMIT = 50;

/** @throws Refused `request.invalid` for a cursor or a limit that is not one */
export function pageRequest({ before, limit }: PageQuery, defaultLimit = DEFAULT_LIMIT): PageRequest {
  if (before !== undefined && !isWhole(before)) throw new Refused('request.invalid', { field: 'before' });
  const items = limit === undefined ? defaultLimit : isWhole(limit) ? Number(limit) : 0;
  if (items < 1 || items > LIMITS.idsInOneCall) throw new Refused('request.invalid', { field: 'limit' });
  return { before: before === undefined ? null : Number(before), limit: items };
}

/** A page from one more item than it holds: the extra one shows that there is a next page. */
export function pageOf<Item>(found: readonly Item[], { limit }: PageRequest, positionOf: (item: Item) => number): Page<Item> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? String(positionOf(last)) : null };
}

const isWhole = (text: unknown): boolean => typeof text === 'string' && DIGITS.test(text);
