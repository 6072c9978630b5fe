/** The sample format of a generated WAV file. */
export type WavSampleFormat = 'pcm8' | 'pcm16' | 'pcm24' | 'pcm32' | 'float32' | 'float64';

/** The content of a generated WAV file: channels of equal length with samples from -1 to 1. */
export interface WavContent {
  readonly channelData: readonly Float32Array[];
  readonly sampleRate?: number;
  readonly format?: WavSampleFormat;
}

const BYTES = { pcm8: 1, pcm16: 2, pcm24: 3, pcm32: 4, float32: 4, float64: 8 } as const;

/** A sine of `seconds` from phase zero, scaled by `amplitude`. */
export function sine(options: { seconds: number; frequency?: number; amplitude?: number; sampleRate?: number }): Float32Array {
  const { seconds, frequency = 1_000, amplitude = 0.5, sampleRate = 48_000 } = options;
  const step = (2 * Math.PI * frequency) / sampleRate;
  const samples = new Float32Array(Math.round(seconds * sampleRate));
  const { sin } = Math;
  for (let at = 0; at < samples.length; at++) samples[at] = amplitude * sin(step * at);
  return samples;
}

/** Digital silence. */
export const silence = (seconds: number, sampleRate = 48_000): Float32Array => new Float32Array(Math.round(seconds * sampleRate));

/** A whole WAV file with a 44-byte header. */
export function wav({ channelData, sampleRate = 48_000, format = 'pcm16' }: WavContent): Uint8Array {
  const bytesPerSample = BYTES[format];
  const channels = channelData.length;
  const frames = channelData[0]?.length ?? 0;
  const blockAlign = channels * bytesPerSample;
  const bytes = new Uint8Array(44 + frames * blockAlign);
  const view = new DataView(bytes.buffer);
  writeText(bytes, 0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  writeText(bytes, 8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, format.startsWith('float') ? 3 : 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * blockAlign, true);
  view.setUint16(32, blockAlign, true);
  view.setUint16(34, bytesPerSample * 8, true);
  writeText(bytes, 36, 'data');
  view.setUint32(40, frames * blockAlign, true);
  channelData.forEach((samples, channel) => {
    for (const [at, sample] of samples.entries()) writeSample(view, 44 + at * blockAlign + channel * bytesPerSample, sample, format);
  });
  return bytes;
}

function writeText(bytes: Uint8Array, at: number, text: string): void {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
}

function writeSample(view: DataView, at: number, sample: number, format: WavSampleFormat): void {
  const clipped = Math.max(-1, Math.min(1, sample));
  switch (format) {
    case 'pcm8':
      return view.setUint8(at, Math.round(clipped * 127) + 128);
    case 'pcm16':
      return view.setInt16(at, Math.round(clipped * 32_767), true);
    case 'pcm24': {
      const value = Math.round(clipped * 8_388_607);
      view.setUint16(at, value & 0xffff, true);
      return view.setInt8(at + 2, value >> 16);
    }
    case 'pcm32':
      return view.setInt32(at, Math.round(clipped * 2_147_483_647), true);
    case 'float32':
      return view.setFloat32(at, sample, true);
    case 'float64':
      return view.setFloat64(at, sample, true);
  }
}
