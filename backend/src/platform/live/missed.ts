import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';

const PAGE = 500;

/** Events behind one position, up to another. */
export interface Span {
  readonly after: Position;
  readonly until: Position;
}

/** The events of a stream within a span; null when they are more than `most`, or the span begins beyond the log. */
export async function missedEvents(store: EventStore, stream: string, { after, until }: Span, most: number): Promise<readonly StoredEvent[] | null> {
  if (after > until) return null;
  if (after === until) return [];
  const missed: StoredEvent[] = [];
  for (let from = await firstRevisionBehind(store, stream, after); ;) {
    const page = await store.readStream(stream, { from, limit: PAGE });
    missed.push(...page.filter(({ position }) => position <= until));
    if (missed.length > most) return null;
    const last = page.at(-1);
    if (last === undefined || last.position >= until || page.length < PAGE) return missed;
    from = last.revision + 1;
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
