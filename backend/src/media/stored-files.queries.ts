import type { StoredEvent } from '../kernel/event.js';

const OF_A_PART = /^[^/]+\/ProjectMediaFiles\/[^/]+\/([^/]+)\//;

/** Whether a stored file belongs to a version or comment that these events name, in any event shape. Keys of another form count as named. */
export function filesNamedBy(events: Iterable<StoredEvent>): (key: string) => boolean {
  const parts = new Set<unknown>();
  for (const { data } of events) {
    if (typeof data !== 'object' || data === null) continue;
    if ('versionId' in data) parts.add(data.versionId);
    if ('commentId' in data) parts.add(data.commentId);
  }
  return (key) => {
    const part = OF_A_PART.exec(key)?.[1];
    return part === undefined || parts.has(part);
  };
}
