import type { Instant, Position } from '@roughmix/contracts/shared/ids.js';
import type { EventStore } from '../event-store/event-store.js';

/** How far something has come, and whether that is behind the log's end. */
interface Progress {
  readonly checkpoint: Position;
  readonly lag: number;
}

/**
 * Tells for each of these how long ago the oldest event happened that lies behind its checkpoint, in seconds. Positions say nothing of it: they are events
 * in one log and octets in another. Reads one event for each different checkpoint.
 */
export async function secondsBehind(store: Pick<EventStore, 'readAll'>, now: Instant, all: readonly Progress[]): Promise<(progress: Progress) => number> {
  const behind = new Set(all.filter(({ lag }) => lag > 0).map(({ checkpoint }) => checkpoint));
  const asked = [...behind].map(async (checkpoint) => {
    const [oldest] = await store.readAll({ after: checkpoint, limit: 1 });
    return [checkpoint, oldest === undefined ? 0 : Math.max(0, (now - oldest.meta.at) / 1_000)] as const;
  });
  const seconds = new Map(await Promise.all(asked));
  return ({ checkpoint }) => seconds.get(checkpoint) ?? 0;
}
