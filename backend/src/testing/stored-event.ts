import type { Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { DomainEvent, StoredEvent } from '../kernel/event.js';

/** Where an event is stored and its metadata; missing fields get fixed defaults. */
export interface EventLocation {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly at?: Instant;
  readonly actorUid?: Uid | null;
  readonly commandId?: string;
}

/** An event as the log returns it. Its id is derived from its position. */
export function storedEvent<Event extends DomainEvent>({ type, data }: Event, place: EventLocation): StoredEvent<Event['type'], Event['data']> {
  const { stream, revision, position, at = 1_700_000_000_000, actorUid = null, commandId = `command-${stream}-${revision}` } = place;
  const id = `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`;
  return { id, type, data, stream, revision, position, meta: { actorUid, at, commandId, correlationId: commandId, causationId: null } };
}
