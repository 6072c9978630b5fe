import { damaged, noCopy, notAudio, type AudioFormat } from './audio-format.js';
import { textAt, viewOf, type AudioFile } from './audio-file.js';

const MAX_CHUNKS = 1_000;
const TAGS: Readonly<Record<number, (bits: number) => string | undefined>> = {
  1: (bits) => ({ 8: 'pcm_u8', 16: 'pcm_s16le', 24: 'pcm_s24le', 32: 'pcm_s32le' })[bits],
  3: (bits) => ({ 32: 'pcm_f32le', 64: 'pcm_f64le' })[bits],
  6: (bits) => (bits === 8 ? 'pcm_alaw' : undefined),
  7: (bits) => (bits === 8 ? 'pcm_mulaw' : undefined),
};
const EXTENSIBLE = 0xfffe;

/** RIFF WAVE: a size beyond the end of the file means damage; a data size of 0 is an unfinished recording that extends to the end. */
export async function readWave(file: AudioFile, start: number): Promise<AudioFormat> {
  const riffSize = viewOf(await file.read(start, 12)).getUint32(4, true);
  // One byte of slack: some writers count a final padding byte that they leave out.
  if (start + 8 + riffSize > file.size + 1) throw damaged();
  let fmt: Uint8Array | null = null;
  let at = start + 12;
  for (let count = 0; count < MAX_CHUNKS && at + 8 <= file.size; count++) {
    const header = await file.read(at, 8);
    const name = textAt(header, 0, 4);
    const size = viewOf(header).getUint32(4, true);
    if (at + 8 + size > file.size + 1) throw damaged();
    if (name === 'fmt ') fmt = await file.read(at + 8, Math.min(size, 64));
    if (name === 'data') {
      if (!fmt) throw notAudio();
      const unclosed = size === 0 && riffSize === 0;
      return waveFormat(fmt, at + 8, unclosed ? file.size : Math.min(file.size, at + 8 + size));
    }
    at += 8 + size + (size % 2);
  }
  throw notAudio();
}

function waveFormat(fmt: Uint8Array, start: number, end: number): AudioFormat {
  if (fmt.length < 16) throw notAudio();
  const view = viewOf(fmt);
  const channels = view.getUint16(2, true);
  const sampleRate = view.getUint32(4, true);
  const blockAlign = view.getUint16(12, true);
  const bits = view.getUint16(14, true);
  const stated = view.getUint16(0, true);
  if (stated === EXTENSIBLE && fmt.length < 40) throw notAudio();
  const tag = stated === EXTENSIBLE ? view.getUint16(24, true) : stated;
  const codec = TAGS[tag]?.(bits);
  if (!codec) throw noCopy();
  if (blockAlign === 0 || blockAlign !== (channels * bits) / 8) throw notAudio();
  const frames = Math.floor((end - start) / blockAlign);
  return {
    container: 'wave',
    codec,
    contentType: 'audio/wav',
    duration: frames / sampleRate,
    sampleRate,
    channels,
    decoding: { decoder: 'wav', prefix: plainHeader(fmt, tag, frames * blockAlign), start, end: start + frames * blockAlign },
    ...(stated === EXTENSIBLE && view.getUint16(18, true) !== bits ? { isPadded: true } : {}),
  };
}

/** The decoder fails on chunks of odd length, so it gets a header without any. */
function plainHeader(fmt: Uint8Array, tag: number, dataSize: number): Uint8Array {
  const bytes = new Uint8Array(44);
  const view = viewOf(bytes);
  const write = (at: number, value: string): void => bytes.set(new TextEncoder().encode(value), at);
  write(0, 'RIFF');
  view.setUint32(4, 36 + dataSize, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  bytes.set(fmt.subarray(0, 16), 20);
  view.setUint16(20, tag, true);
  write(36, 'data');
  view.setUint32(40, dataSize, true);
  return bytes;
}
