import type { Position } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';

const PAGE = 500;
const LONGEST_SCAN = 20_000;

/** The events of a stream between two positions; null when they are too many to tell one by one, or the first position lies beyond the log. */
export async function missedEvents(
  store: EventStore,
  stream: string,
  span: { readonly after: Position; readonly until: Position },
): Promise<readonly StoredEvent[] | null> {
  if (span.after > span.until) return null;
  const missed: StoredEvent[] = [];
  let from = span.after;
  for (let scanned = 0; from < span.until && scanned < LONGEST_SCAN;) {
    const page = await store.readAll({ after: from, limit: PAGE });
    missed.push(...page.filter((event) => event.stream === stream && event.position <= span.until));
    const last = page.at(-1);
    if (missed.length > LIMITS.catchUpEvents) return null;
    if (last === undefined || last.position >= span.until) return missed;
    from = last.position;
    scanned += page.length;
  }
  return from >= span.until ? missed : null;
}
