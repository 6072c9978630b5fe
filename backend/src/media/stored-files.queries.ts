import type { StoredEvent } from '../kernel/event.js';

const OF_A_PART = /^[^/]+\/ProjectMediaFiles\/[^/]+\/([^/]+)\//;

/** Which stored files belong to a version or a comment that some events know, whatever their shape; keys of another form belong to nobody's part and count as known. */
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
