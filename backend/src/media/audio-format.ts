/** Why an uploaded file is refused; the codes' texts and statuses stand in contracts. */
export type AudioRefusal = 'upload.not-audio' | 'upload.aiff' | 'upload.empty' | 'upload.too-long' | 'upload.damaged';

/** What reading a file's headers tells, or why it is refused. */
export type ProbeResult =
  | {
      readonly ok: true;
      readonly container: AudioContainer;
      /** mp3, flac, vorbis, opus, aac, alac, pcm_s16le, pcm_s24le, pcm_f32le … */
      readonly codec: string;
      /** Seconds, to the millisecond. */
      readonly duration: number;
      readonly sampleRate: number;
      readonly channels: number;
      /** What the original is served as. */
      readonly contentType: string;
    }
  | { readonly ok: false; readonly code: AudioRefusal };

/** What decoding the whole file tells, or why it is rejected. */
export type AnalysisResult =
  | {
      readonly ok: true;
      /** Seconds that were decoded, to the millisecond. */
      readonly duration: number;
      readonly sampleRate: number;
      readonly channels: number;
      readonly codec: string;
      /** Integrated, in LUFS; null where no block is above -70 LUFS. */
      readonly loudness: number | null;
      /** In dBTP; null together with `loudness`. */
      readonly truePeak: number | null;
      /** How many levels of peaks there are. */
      readonly levels: number;
      /** Paths of the peaks, level 0, the coarsest, first. */
      readonly files: readonly string[];
    }
  | { readonly ok: false; readonly code: AudioRefusal };

export type AudioContainer = 'wave' | 'mpeg' | 'adts' | 'flac' | 'ogg' | 'mp4';

/** A file whose headers were understood. */
export interface AudioFormat {
  readonly container: AudioContainer;
  readonly codec: string;
  readonly contentType: string;
  /** In seconds; null when no header says it. */
  readonly duration: number | null;
  readonly sampleRate: number;
  readonly channels: number;
  readonly decoding: Decoding;
}

/** What the decoder is to be fed: `prefix`, then the file's octets [start, end). */
export interface Decoding {
  readonly decoder: 'wav' | 'mp3' | 'aac' | 'flac' | 'oga' | 'opus' | 'm4a';
  readonly prefix?: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** The file is at fault, not the server. */
export class AudioRefused extends Error {
  override readonly name = 'AudioRefused';
  constructor(readonly code: AudioRefusal) {
    super(code);
  }
}

export const notAudio = (): AudioRefused => new AudioRefused('upload.not-audio');
export const damaged = (): AudioRefused => new AudioRefused('upload.damaged');
