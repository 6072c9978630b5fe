import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { EventStore } from './event-store.js';

/**
 * The end of the log, for callers that discard or set back what is ahead of it. If `position` seems to be ahead, the leader has to confirm the end first: a server
 * that lags must not cause read models to be dropped. @throws ServiceUnavailable
 */
export async function headCovering(store: Pick<EventStore, 'head' | 'confirmedHead'>, position: Position): Promise<Position> {
  const head = await store.head();
  return position <= head ? head : store.confirmedHead();
}
