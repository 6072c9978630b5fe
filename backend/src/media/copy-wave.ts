import type { AudioFormat, Decoding } from './audio-format.js';
import { viewOf, type AudioFile } from './audio-file.js';
import type { CopiedBytes } from './copy-audio.js';

const WINDOW = 1 << 20;
const DOUBLE = Float64Array.BYTES_PER_ELEMENT;
const FLOAT = Float32Array.BYTES_PER_ELEMENT;

/** The same samples behind the header that decoders get: without extensions, and with samples as large as their containers. */
export async function* plainWaveOf(file: AudioFile, { decoding }: AudioFormat): AsyncGenerator<CopiedBytes> {
  if (decoding.prefix) yield { bytes: decoding.prefix };
  for await (const bytes of windowsOf(file, decoding)) yield { bytes };
}

/** 64-bit floats as 32-bit floats. */
export async function* floatWaveOf(file: AudioFile, { decoding }: AudioFormat): AsyncGenerator<CopiedBytes> {
  if (decoding.prefix) yield { bytes: halved(decoding.prefix) };
  for await (const bytes of windowsOf(file, decoding)) {
    const doubles = viewOf(bytes);
    const floats = new DataView(new ArrayBuffer((bytes.length / DOUBLE) * FLOAT));
    for (let at = 0; at < bytes.length / DOUBLE; at++) floats.setFloat32(at * FLOAT, doubles.getFloat64(at * DOUBLE, true), true);
    yield { bytes: new Uint8Array(floats.buffer) };
  }
}

async function* windowsOf(file: AudioFile, { start, end }: Decoding): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += WINDOW) yield await file.read(at, Math.min(WINDOW, end - at));
}

/** A header of 44 bytes with every size of samples divided by two. */
function halved(header: Uint8Array): Uint8Array {
  const bytes = header.slice();
  const view = viewOf(bytes);
  const dataSize = view.getUint32(40, true) / 2;
  view.setUint32(4, bytes.length - 8 + dataSize, true);
  view.setUint32(28, view.getUint32(28, true) / 2, true);
  view.setUint16(32, view.getUint16(32, true) / 2, true);
  view.setUint16(34, view.getUint16(34, true) / 2, true);
  view.setUint32(40, dataSize, true);
  return bytes;
}
