import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { noCopy, type AudioFormat, type CopyResult, type MadeCopy } from './audio-format.js';
import { withAudioFile, type AudioFile } from './audio-file.js';
import { flacOf } from './copy-flac.js';
import { floatWaveOf, plainWaveOf } from './copy-wave.js';
import { readFormat, refusalOf } from './probe.js';

/** Copies are about as large as their originals, but a few bytes may decode to hours of noise, which no encoder can compress. */
const MAX_GROWTH = 2;
/** Allowed for small files too. */
const MIN_LIMIT_BYTES = 1 << 20;

/** Makes the copy for browsers alone, for files that were analysed before. For untrusted files, run it in a child process. @throws file system errors */
export async function copyAudio(path: string, outFolder: string): Promise<CopyResult> {
  try {
    const copy = await withAudioFile(path, (await stat(path)).size, async (file) => copyForBrowsers(file, await readFormat(file), outFolder));
    return { ok: true, copy };
  } catch (error) {
    return { ok: false, code: refusalOf(error).code };
  }
}

/** Writes the copy that browsers need, if they need one, to `outFolder`. @throws AudioRefused `upload.no-copy`; file system errors */
export async function copyForBrowsers(file: AudioFile, format: AudioFormat, outFolder: string): Promise<MadeCopy | null> {
  const plan = planOf(format);
  if (plan === null) return null;
  const { parts, ...facts } = plan;
  const path = join(outFolder, 'playback');
  try {
    await write(path, parts(file, format), Math.max(file.size * MAX_GROWTH, MIN_LIMIT_BYTES));
  } catch (error) {
    // Rethrows errors that are not the file's fault.
    refusalOf(error);
    throw noCopy();
  }
  return { path, ...facts };
}

interface CopyPlan extends Omit<MadeCopy, 'path'> {
  readonly parts: (file: AudioFile, format: AudioFormat) => AsyncIterable<CopiedBytes>;
}

/** Chrome and Firefox play neither ALAC nor 64-bit floats, and take the valid bits of padded samples for their size (docs/formats.md). */
function planOf({ codec, isPadded }: AudioFormat): CopyPlan | null {
  if (codec === 'alac') return { contentType: 'audio/flac', codec: 'flac', parts: flacOf };
  if (codec === 'pcm_f64le') return { contentType: 'audio/wav', codec: 'pcm_f32le', parts: floatWaveOf };
  return isPadded === true ? { contentType: 'audio/wav', codec, parts: plainWaveOf } : null;
}

/** A part of a copy: appended, or written at an offset that was written before. */
export interface CopiedBytes {
  readonly bytes: Uint8Array;
  readonly at?: number;
}

async function write(path: string, parts: AsyncIterable<CopiedBytes>, maxBytes: number): Promise<void> {
  const output = await open(path, 'w');
  let size = 0;
  try {
    for await (const { bytes, at } of parts) {
      const position = at ?? size;
      size = Math.max(size, position + bytes.length);
      if (size > maxBytes) throw noCopy();
      await output.write(bytes, 0, bytes.length, position);
    }
  } finally {
    await output.close();
  }
}
