import type { Instant, Position } from '@roughmix/contracts/shared/ids.js';
import type { EventStore } from '../event-store/event-store.js';

/** The progress of a projector or reactor. */
interface Progress {
  readonly checkpoint: Position;
  readonly lag: number;
}

/**
 * Finds the age in seconds of the first event after each checkpoint. Lag cannot give it: positions count events in one log and bytes in another.
 * Reads one event per distinct checkpoint.
 */
export async function secondsBehind(store: Pick<EventStore, 'readAll'>, now: Instant, all: readonly Progress[]): Promise<(progress: Progress) => number> {
  const behind = new Set(all.filter(({ lag }) => lag > 0).map(({ checkpoint }) => checkpoint));
  const ages = [...behind].map(async (checkpoint) => {
    const [oldest] = await store.readAll({ after: checkpoint, limit: 1 });
    return [checkpoint, oldest === undefined ? 0 : Math.max(0, (now - oldest.meta.at) / 1_000)] as const;
  });
  const seconds = new Map(await Promise.all(ages));
  return ({ checkpoint }) => seconds.get(checkpoint) ?? 0;
}
