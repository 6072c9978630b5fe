import { randomUUID } from 'node:crypto';
import type { NewEvent, StoredEvent } from '../kernel/event.js';
import type { EventStore } from '../platform/event-store/event-store.js';

/** Returns the store that the contract suite is testing now. */
export type CurrentStore = () => EventStore;

/** All events after a position, page by page. */
export async function everything(store: EventStore, from: number): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (let after = from; ;) {
    const page = await store.readAll({ after });
    all.push(...page);
    const last = page.at(-1);
    if (last === undefined) return all;
    after = last.position;
  }
}

export const iterate = <T>(pages: AsyncIterable<T>): AsyncIterator<T> => pages[Symbol.asyncIterator]();

/** A stream name that no other test uses. */
export const aStream = (): string => `contract-${randomUUID()}`;

export function anEvent(data: unknown = {}): NewEvent {
  const meta = { actorUid: null, at: 1_700_000_000_000, commandId: randomUUID(), correlationId: randomUUID(), causationId: null };
  return { id: randomUUID(), type: 'ContractTried', data, meta };
}
