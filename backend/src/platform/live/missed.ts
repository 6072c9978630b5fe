import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';

const PAGE = 500;

/** Events behind one position, up to another. `from`: the revision of the first of them, where it is known already. */
export interface Span {
  readonly after: Position;
  readonly until: Position;
  readonly from?: number | undefined;
}

/** Some events of a stream, and the revision of whatever comes behind them; unknown when nothing was looked for. */
export interface MissedEvents {
  readonly events: readonly StoredEvent[];
  readonly next: number | undefined;
}

/** The events of a stream within a span; null when they are more than `most`, or the span begins beyond the log. */
export async function missedEvents(store: EventStore, stream: string, { after, until, from }: Span, most: number): Promise<MissedEvents | null> {
  if (after > until) return null;
  if (after === until) return { events: [], next: from };
  const events: StoredEvent[] = [];
  for (let next = from ?? (await firstRevisionBehind(store, stream, after)); ;) {
    const page = await store.readStream(stream, { from: next, limit: PAGE });
    const missed = page.filter(({ position }) => position <= until);
    events.push(...missed);
    if (events.length > most) return null;
    next += missed.length;
    if (missed.length < PAGE) return { events, next };
  }
}

/** Finds it by halving: positions grow with revisions, and the log between them may be long. */
async function firstRevisionBehind(store: EventStore, stream: string, position: Position): Promise<number> {
  const isBehind = async (revision: number): Promise<boolean> => {
    const [event] = await store.readStream(stream, { from: revision, limit: 1 });
    return event === undefined || event.position > position;
  };
  let tooEarly = -1;
  let found = 1;
  while (!(await isBehind(found))) {
    tooEarly = found;
    found *= 2;
  }
  while (found - tooEarly > 1) {
    const middle = Math.floor((found + tooEarly) / 2);
    if (await isBehind(middle)) found = middle;
    else tooEarly = middle;
  }
  return found;
}
