import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { AudioAnalysis, AudioFile, PlaybackCopy, RejectionCode } from '@roughmix/contracts/versions/version.events.js';
import type { VersionState } from '@roughmix/contracts/versions/version.view.js';

export const VERSIONS = 'versions';

/** A version, as queries need it. Removed versions have no document. */
export interface VersionDocument {
  readonly versionId: Id;
  readonly projectId: Id;
  readonly major: number;
  readonly minor: number;
  readonly tinySummary: string;
  readonly taggedUsers: readonly Uid[];
  readonly uploaderUid: Uid;
  readonly uploadId: Id;
  readonly file: AudioFile;
  /** What browsers get instead of the file. */
  readonly copy: PlaybackCopy | null;
  readonly dateAdded: Instant;
  readonly state: VersionState;
  readonly analysis: AudioAnalysis | null;
  readonly peaksKey: string | null;
  readonly peaksLevels: number;
  readonly rejection: RejectionCode | null;
  /** Todos completed under it, in the order of completion. */
  readonly completedTodos: readonly Id[];
  /** It came with the tutorial project. */
  readonly initialLogin: boolean;
  readonly position: Position;
}
