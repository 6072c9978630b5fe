import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';

const PAGE = 500;

/** The events after one position, up to another. `from`: the revision of the first of them, where it is known. */
export interface Span {
  readonly after: Position;
  readonly until: Position;
  readonly from?: number | undefined;
}

/** Events of a stream, and the revision that follows them; undefined when nothing was read. */
export interface MissedEvents {
  readonly events: readonly StoredEvent[];
  readonly next: number | undefined;
}

/** The events of a stream within a span; null when there are more than `limit`, or the span begins beyond the log. */
export async function missedEvents(store: EventStore, stream: string, { after, until, from }: Span, limit: number): Promise<MissedEvents | null> {
  if (after > until) return null;
  if (after === until) return { events: [], next: from };
  const events: StoredEvent[] = [];
  for (let next = from ?? (await firstRevisionAfter(store, stream, after)); ;) {
    const page = await store.readStream(stream, { from: next, limit: PAGE });
    const missed = page.filter(({ position }) => position <= until);
    events.push(...missed);
    if (events.length > limit) return null;
    next += missed.length;
    if (missed.length < PAGE) return { events, next };
  }
}

/** Binary search: positions grow with revisions, and a stream may be long. */
async function firstRevisionAfter(store: EventStore, stream: string, position: Position): Promise<number> {
  const isAfter = async (revision: number): Promise<boolean> => {
    const [event] = await store.readStream(stream, { from: revision, limit: 1 });
    return event === undefined || event.position > position;
  };
  let tooEarly = -1;
  let found = 1;
  while (!(await isAfter(found))) {
    tooEarly = found;
    found *= 2;
  }
  while (found - tooEarly > 1) {
    const middle = Math.floor((found + tooEarly) / 2);
    if (await isAfter(middle)) found = middle;
    else tooEarly = middle;
  }
  return found;
}
