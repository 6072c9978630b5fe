import type { GoneView } from '../shared/gone.js';
import type { Id, Instant, Position, Uid } from '../shared/ids.js';
import type { ProjectView } from '../projects/project.view.js';
import type { PersonView } from '../users/user.view.js';
import type { AudioAnalysis, RejectionCode } from './version.events.js';

export type VersionState = 'analysing' | 'ready' | 'rejected';

/** What the audio's address serves. */
export interface PlaybackView {
  /** Of the copy, or of the original. */
  readonly codec: string;
  /** Whether browsers get a copy because they do not play the original. */
  readonly isCopy: boolean;
}

export interface VersionView {
  readonly _id: Id;
  readonly projectId: Id;
  readonly majorUpdate: number;
  readonly minorUpdate: number;
  readonly tinySummary: string;
  readonly versionUrl: string;
  /** Null until the peaks are computed. */
  readonly peaksUrl: string | null;
  readonly peaksLevels: number;
  readonly dateAdded: Instant;
  /** The name under which it was uploaded. */
  readonly filename: string;
  readonly uploader: PersonView;
  readonly taggedUsers: readonly Uid[];
  readonly completedTodos: readonly Id[];
  readonly initialLogin: boolean;
  readonly state: VersionState;
  /** Seconds, from the probe. */
  readonly duration: number;
  readonly analysis: AudioAnalysis | null;
  readonly playback: PlaybackView;
  readonly rejection: { readonly code: RejectionCode; readonly detail: string } | null;
  readonly position: Position;
}

export interface VersionsAnswer {
  readonly versions: readonly VersionView[];
}
export interface VersionAddedAnswer {
  readonly versionId: Id;
  readonly versionUrl: string;
  readonly version: VersionView | GoneView;
  readonly currentVersion: VersionView | null;
  readonly updatedProject: ProjectView;
}
export interface VersionAnswer {
  readonly version: VersionView | GoneView;
  readonly updatedProject: ProjectView;
}

export const versionUrl = (versionId: Id): string => `/api/media/${versionId}/audio`;
export const peaksUrl = (versionId: Id): string => `/api/media/${versionId}/peaks`;
export const downloadUrl = (versionId: Id): string => `/api/media/${versionId}/download`;
