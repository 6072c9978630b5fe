import type { EventClasses } from '../shared/field-classes.js';
import type { Id, Uid } from '../shared/ids.js';

/** A stored audio file as the probe saw it. */
export interface AudioFile {
  /** The key in the blob store; the person's file name is only its sanitised tail. */
  readonly key: string;
  /** As the person named it. */
  readonly filename: string;
  readonly size: number;
  readonly contentType: string;
  readonly codec: string;
  /** Seconds. */
  readonly duration: number;
  readonly sampleRate: number;
  readonly channels: number;
}

/** What reading a whole file once found out. Loudness in LUFS and true peak in dBTP; both null where all is silent. */
export interface AudioAnalysis {
  readonly duration: number;
  readonly sampleRate: number;
  readonly channels: number;
  readonly codec: string;
  readonly loudness: number | null;
  readonly truePeak: number | null;
}

/** Why a version does not play though its file was stored: what is in it, or that it is not there any more. */
export type RejectionCode = 'upload.not-audio' | 'upload.damaged' | 'upload.too-long' | 'upload.lost';

export interface VersionEvents {
  VersionAdded: {
    readonly versionId: Id;
    readonly major: number;
    readonly minor: number;
    readonly tinySummary: string;
    readonly taggedUsers: readonly Uid[];
    readonly uploadId: Id;
    readonly file: AudioFile;
  };
  /** By the system: peaks lie at `${peaksKey}/${level}`. `uploadId` says which file was read. */
  VersionAnalyzed: { readonly versionId: Id; readonly uploadId: Id; readonly analysis: AudioAnalysis; readonly peaksKey: string; readonly peaksLevels: number };
  /** By the system: the file could not be decoded and is deleted, or is not there; the row stays until removed or replaced. */
  VersionRejected: { readonly versionId: Id; readonly uploadId: Id; readonly code: RejectionCode };
  VersionReplaced: { readonly versionId: Id; readonly uploadId: Id; readonly file: AudioFile };
  VersionRemoved: { readonly versionId: Id };
}

const file = {
  'file.key': 'content',
  'file.filename': 'content',
  'file.size': 'plain',
  'file.contentType': 'plain',
  'file.codec': 'plain',
  'file.duration': 'plain',
  'file.sampleRate': 'plain',
  'file.channels': 'plain',
} as const;

export const VERSION_EVENT_CLASSES: EventClasses<VersionEvents> = {
  VersionAdded: { versionId: 'plain', major: 'plain', minor: 'plain', tinySummary: 'content', taggedUsers: 'plain', uploadId: 'plain', ...file },
  VersionAnalyzed: {
    versionId: 'plain',
    uploadId: 'plain',
    'analysis.duration': 'plain',
    'analysis.sampleRate': 'plain',
    'analysis.channels': 'plain',
    'analysis.codec': 'plain',
    'analysis.loudness': 'plain',
    'analysis.truePeak': 'plain',
    peaksKey: 'plain',
    peaksLevels: 'plain',
  },
  VersionRejected: { versionId: 'plain', uploadId: 'plain', code: 'plain' },
  VersionReplaced: { versionId: 'plain', uploadId: 'plain', ...file },
  VersionRemoved: { versionId: 'plain' },
};
