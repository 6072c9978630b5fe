/** Why an uploaded file is refused; contracts define the codes' texts and statuses. */
export type AudioRefusal = 'upload.not-audio' | 'upload.aiff' | 'upload.empty' | 'upload.too-long' | 'upload.no-length' | 'upload.no-copy' | 'upload.damaged';

/** The properties from a file's headers, or why the file is refused. */
export type ProbeResult =
  | {
      readonly ok: true;
      readonly container: AudioContainer;
      /** mp3, flac, vorbis, opus, aac, alac, pcm_s16le, pcm_s24le, pcm_f32le … */
      readonly codec: string;
      /** In seconds, to the millisecond. */
      readonly duration: number;
      readonly sampleRate: number;
      readonly channels: number;
      /** The content type of the original when it is served. */
      readonly contentType: string;
    }
  | { readonly ok: false; readonly code: AudioRefusal };

/** The result of decoding the whole file, or why it is rejected. */
export type AnalysisResult =
  | {
      readonly ok: true;
      /** Decoded seconds, to the millisecond. */
      readonly duration: number;
      readonly sampleRate: number;
      readonly channels: number;
      readonly codec: string;
      /** Integrated, in LUFS; null where no block is above -70 LUFS. */
      readonly loudness: number | null;
      /** In dBTP; null together with `loudness`. */
      readonly truePeak: number | null;
      /** The number of peak levels. */
      readonly levels: number;
      /** Paths of the peaks, coarsest level (0) first. */
      readonly files: readonly string[];
      /** Null if browsers play the file as it is. */
      readonly copy: MadeCopy | null;
    }
  | { readonly ok: false; readonly code: AudioRefusal };

/** The copy for browsers, null if they play the file as it is; or why there is none. */
export type CopyResult = { readonly ok: true; readonly copy: MadeCopy | null } | { readonly ok: false; readonly code: AudioRefusal };

/** A copy for browsers, as written by the child process. */
export interface MadeCopy {
  readonly path: string;
  readonly contentType: string;
  readonly codec: string;
}

export type AudioContainer = 'wave' | 'mpeg' | 'adts' | 'flac' | 'ogg' | 'mp4';

/** A file whose headers were understood. */
export interface AudioFormat {
  readonly container: AudioContainer;
  readonly codec: string;
  readonly contentType: string;
  /** In seconds; null if no header states it. */
  readonly duration: number | null;
  readonly sampleRate: number;
  readonly channels: number;
  readonly decoding: Decoding;
  /** Whether its samples have fewer valid bits than their containers, by its header. */
  readonly isPadded?: true;
}

/** The decoder's input: `prefix`, then the file's bytes [start, end). */
export interface Decoding {
  readonly decoder: 'wav' | 'mp3' | 'aac' | 'flac' | 'oga' | 'opus' | 'm4a';
  readonly prefix?: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** For AAC, whose decoder drops the first frame. */
  readonly played?: PlayedPart;
}

/** The part of a track's media that players play, without the encoder's delay and padding. In seconds; a length of null means up to the end. */
export interface PlayedPart {
  readonly start: number;
  readonly length: number | null;
}

/** Thrown when the file is at fault, not the server. */
export class AudioRefused extends Error {
  override readonly name = 'AudioRefused';
  constructor(readonly code: AudioRefusal) {
    super(code);
  }
}

export const notAudio = (): AudioRefused => new AudioRefused('upload.not-audio');
/** Audio, but in a format that browsers do not play and this server cannot copy. */
export const noCopy = (): AudioRefused => new AudioRefused('upload.no-copy');
export const damaged = (): AudioRefused => new AudioRefused('upload.damaged');
