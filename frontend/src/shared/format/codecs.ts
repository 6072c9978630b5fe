interface CodecFacts {
  readonly name: string;
  /** What browsers are asked with `canPlayType`. Missing where browsers play every file of this codec. */
  readonly type?: string;
  /** Whether the server always makes a copy for browsers. */
  readonly isCopied?: true;
}

/** The codecs of uploads. docs/formats.md says which browser plays which. */
const CODECS: Readonly<Record<string, CodecFacts>> = {
  mp3: { name: 'MP3', type: 'audio/mpeg' },
  flac: { name: 'FLAC', type: 'audio/flac' },
  vorbis: { name: 'Ogg Vorbis', type: 'audio/ogg; codecs="vorbis"' },
  opus: { name: 'Opus', type: 'audio/ogg; codecs="opus"' },
  aac: { name: 'AAC', type: 'audio/mp4; codecs="mp4a.40.2"' },
  alac: { name: 'ALAC', type: 'audio/mp4; codecs="alac"', isCopied: true },
  pcm_u8: { name: 'WAV 8 bit' },
  pcm_s16le: { name: 'WAV 16 bit' },
  pcm_s24le: { name: 'WAV 24 bit' },
  pcm_s32le: { name: 'WAV 32 bit' },
  pcm_f32le: { name: 'WAV 32 bit float' },
  // Chrome and Firefox have no decoder for it, but no type asks for it: they call every WAV file playable.
  pcm_f64le: { name: 'WAV 64 bit float', type: '', isCopied: true },
};

/** 'WAV 24 bit' */
export const codecName = (codec: string): string => CODECS[codec]?.name ?? codec.toUpperCase();

export const isAlwaysCopied = (codec: string): boolean => CODECS[codec]?.isCopied === true;

/** Whether a browser has a decoder for the codec. It may still not play every file of that codec. */
export function hasDecoder(media: Pick<HTMLMediaElement, 'canPlayType'>, codec: string): boolean {
  const type = CODECS[codec]?.type;
  return type === undefined || (type !== '' && media.canPlayType(type) !== '');
}
