import type { NewEvent } from '../kernel/event.js';
import { type Appended, type EventStore, WrongExpectedRevision } from '../platform/event-store/event-store.js';

/** The revision that the next append to a stream expects, -1 for an empty one. A guess, which a conflict corrects. */
const ends = new WeakMap<EventStore, Map<string, number>>();

/** Appends at a stream's end, wherever that is: production code always knows which revision it decided on. */
export async function appendNext(store: EventStore, stream: string, events: readonly NewEvent[]): Promise<Appended> {
  const known = ends.get(store) ?? new Map<string, number>();
  ends.set(store, known);
  for (;;) {
    const end = known.get(stream) ?? -1;
    // Before the answer, so that appends made together follow each other instead of colliding.
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
