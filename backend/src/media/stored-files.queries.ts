import type { StoredEvent } from '../kernel/event.js';

const VERSION_OR_COMMENT_FILE = /^[^/]+\/ProjectMediaFiles\/[^/]+\/([^/]+)\//;

/** Tests whether a stored file belongs to a version or comment that these events name, whatever their shape. A key of any other form counts as named. */
export function filesNamedBy(events: Iterable<StoredEvent>): (key: string) => boolean {
  const parts = new Set<unknown>();
  for (const { data } of events) {
    if (typeof data !== 'object' || data === null) continue;
    if ('versionId' in data) parts.add(data.versionId);
    if ('commentId' in data) parts.add(data.commentId);
  }
  return (key) => {
    const part = VERSION_OR_COMMENT_FILE.exec(key)?.[1];
    return part === undefined || parts.has(part);
  };
}
