import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../kernel/event.js';

const REQUESTED = new Set(['VersionAdded', 'VersionReplaced']);
const COMPLETED = new Set(['VersionAnalyzed', 'VersionRejected', 'VersionRemoved']);
const PROJECT_ENDED = new Set(['ProjectRemoved', 'ProjectPurged']);

/** Finds the versions whose analysis result a log lacks; analysis must resume before the first of them. */
export class PendingAnalyses {
  /** By stream and version: the position of the event before the one that requests the analysis. */
  private readonly open = new Map<string, Map<string, Position>>();
  private before: Position = 0;

  /** Takes events in log order. */
  see({ type, stream, data, position }: StoredEvent): void {
    const name = type.replace(/\.v\d+$/, '');
    if (PROJECT_ENDED.has(name)) this.open.delete(stream);
    else if (REQUESTED.has(name)) this.of(stream).set(versionIn(data), this.before);
    else if (COMPLETED.has(name)) this.of(stream).delete(versionIn(data));
    this.before = position;
  }

  /** The position to resume after; null if every version has a result. */
  get after(): Position | null {
    const positions = [...this.open.values()].flatMap((versions) => [...versions.values()]);
    return positions.length === 0 ? null : positions.reduce((least, position) => Math.min(least, position));
  }

  private of(stream: string): Map<string, Position> {
    const versions = this.open.get(stream) ?? new Map<string, Position>();
    this.open.set(stream, versions);
    return versions;
  }
}

const versionIn = (data: unknown): string => (typeof data === 'object' && data !== null && 'versionId' in data ? String(data.versionId) : '');
