import type { EventClasses } from '../shared/field-classes.js';
import type { Id, Uid } from '../shared/ids.js';

/** A stored audio file, as probed. */
export interface AudioFile {
  /** The key in the blob store. In events of earlier versions it ends in the name of the file, see `namelessKey`. */
  readonly key: string;
  /** The name under which it was uploaded. */
  readonly filename: string;
  readonly size: number;
  readonly contentType: string;
  readonly codec: string;
  /** Seconds. */
  readonly duration: number;
  readonly sampleRate: number;
  readonly channels: number;
}

/** The result of decoding a whole file. Loudness in LUFS and true peak in dBTP; both null for silence. */
export interface AudioAnalysis {
  readonly duration: number;
  readonly sampleRate: number;
  readonly channels: number;
  readonly codec: string;
  readonly loudness: number | null;
  readonly truePeak: number | null;
}

/** Stored beside an original that browsers do not play. They get the copy; downloads get the original. */
export interface PlaybackCopy {
  /** The key in the blob store. */
  readonly key: string;
  readonly size: number;
  readonly contentType: string;
  /** As in `AudioFile`. */
  readonly codec: string;
}

/** Why a version cannot be played although its file was stored: its content, a copy for browsers that could not be made, or because the file is gone. */
export type RejectionCode = 'upload.not-audio' | 'upload.damaged' | 'upload.too-long' | 'upload.no-copy' | 'upload.lost';

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
  /** By the system, or with a tutorial, whose audio was analysed once: peaks are stored at `${peaksKey}/${level}`. `uploadId` identifies the file that was analysed. */
  VersionAnalyzed: { readonly versionId: Id; readonly uploadId: Id; readonly analysis: AudioAnalysis; readonly peaksKey: string; readonly peaksLevels: number };
  /** By the system: browsers get a copy from now on. Comes with VersionAnalyzed, or later for files that were analysed before copies existed. */
  PlaybackCopied: { readonly versionId: Id; readonly uploadId: Id; readonly copy: PlaybackCopy };
  /** By the system: the file could not be decoded and was deleted, or is missing. The version stays listed until it is removed or replaced. */
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
  PlaybackCopied: {
    versionId: 'plain',
    uploadId: 'plain',
    'copy.key': 'plain',
    'copy.size': 'plain',
    'copy.contentType': 'plain',
    'copy.codec': 'plain',
  },
  VersionRejected: { versionId: 'plain', uploadId: 'plain', code: 'plain' },
  VersionReplaced: { versionId: 'plain', uploadId: 'plain', ...file },
  VersionRemoved: { versionId: 'plain' },
};
