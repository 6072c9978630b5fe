import type { NewEvent } from '../kernel/event.js';
import { type Appended, type EventStore, WrongExpectedRevision } from '../platform/event-store/event-store.js';

/** The revision the next append to a stream expects, -1 for an empty stream. Only a guess: a conflict corrects it. */
const ends = new WeakMap<EventStore, Map<string, number>>();

/** Appends at the end of a stream, wherever that is. For specs only: production code always knows the revision it decided on. */
export async function appendNext(store: EventStore, stream: string, events: readonly NewEvent[]): Promise<Appended> {
  const known = ends.get(store) ?? new Map<string, number>();
  ends.set(store, known);
  for (;;) {
    const end = known.get(stream) ?? -1;
    // Set before the append resolves, so that concurrent appends queue up instead of colliding.
    known.set(stream, end + events.length);
    try {
      return await store.append(stream, end === -1 ? 'none' : end, events);
    } catch (error) {
      known.delete(stream);
      if (!(error instanceof WrongExpectedRevision)) throw error;
      known.set(stream, error.actual);
    }
  }
}
