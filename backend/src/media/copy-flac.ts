import { type AudioFormat, noCopy } from './audio-format.js';
import type { AudioFile } from './audio-file.js';
import type { CopiedBytes } from './copy-audio.js';
import { decodeAudio, type DecodedPiece } from './decode-audio.js';

/** libFLAC's default of 5 takes over twice the time to save a few percent. */
const COMPRESSION_LEVEL = 3;
/** The lower 32 bits of the number of samples in STREAMINFO (RFC 9639, 8.2), counted from the beginning of the file. */
const TOTAL_AT = 22;

interface Encoder {
  /** @param channelData one array per channel, in the order of WAV and FLAC, with samples from -1 to 1 */
  encode(channelData: readonly Float32Array[]): void;
  finish(): void;
  /** What was encoded since the last call. */
  take(): Uint8Array;
  free(): void;
}

/** ALAC as FLAC: the same samples, up to 24 bits, which are all that browsers play. */
export async function* flacOf(file: AudioFile, format: AudioFormat): AsyncGenerator<CopiedBytes> {
  const bits = format.sampleBits === 16 ? 16 : 24;
  let encoder: Encoder | null = null;
  let samples = 0;
  try {
    for await (const piece of decodeAudio(file, format)) {
      const channels = Math.max(format.layout.length, piece.channelData.length);
      encoder ??= await createEncoder({ sampleRate: piece.sampleRate, channels, bits });
      encoder.encode(allChannels(piece, channels));
      samples += piece.channelData[0]?.length ?? 0;
      yield { bytes: encoder.take() };
    }
    if (encoder === null) throw noCopy();
    encoder.finish();
    yield { bytes: encoder.take() };
    // The encoder writes its header before it knows the length, by which browsers seek.
    const total = Buffer.alloc(4);
    total.writeUInt32BE(samples);
    yield { bytes: total, at: TOTAL_AT };
  } finally {
    encoder?.free();
  }
}

/** The decoder merges identical channels. */
function allChannels({ channelData }: DecodedPiece, channels: number): readonly Float32Array[] {
  const [first = new Float32Array(0)] = channelData;
  return Array.from({ length: channels }, (_, channel) => channelData[channel] ?? first);
}

interface Encoding {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bits: 16 | 24;
}

async function createEncoder({ sampleRate, channels, bits }: Encoding): Promise<Encoder> {
  // Loaded on demand: few files need it.
  const { default: flac } = await import('libflacjs/dist/libflac.js');
  if (!flac.isReady()) await new Promise((resolve) => flac.on('ready', resolve));
  const id = flac.create_libflac_encoder(sampleRate, channels, bits, COMPRESSION_LEVEL);
  let encoded: Uint8Array[] = [];
  if (id === 0 || flac.init_encoder_stream(id, (bytes) => void encoded.push(bytes)) !== 0) throw noCopy();
  return {
    encode(channelData) {
      const samples = interleaved(channelData, 2 ** (bits - 1));
      if (!flac.FLAC__stream_encoder_process_interleaved(id, samples, samples.length / channels)) throw noCopy();
    },
    finish() {
      if (!flac.FLAC__stream_encoder_finish(id)) throw noCopy();
    },
    take() {
      const bytes = Buffer.concat(encoded);
      encoded = [];
      return bytes;
    },
    free: () => flac.FLAC__stream_encoder_delete(id),
  };
}

/** Whole numbers below `scale`, all channels of a sample side by side. */
function interleaved(channelData: readonly Float32Array[], scale: number): Int32Array<ArrayBuffer> {
  const channels = channelData.length;
  const samples = new Int32Array(channels * (channelData[0]?.length ?? 0));
  for (const [channel, data] of channelData.entries()) {
    for (let at = 0; at < data.length; at++) samples[at * channels + channel] = Math.min(scale - 1, Math.max(-scale, Math.round((data[at] ?? 0) * scale)));
  }
  return samples;
}
