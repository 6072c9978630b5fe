import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { noCopy, type AudioFormat, type CopyPlan, type CopyResult, type MadeCopy } from './audio-format.js';
import { withAudioFile, type AudioFile } from './audio-file.js';
import { flacOf } from './copy-flac.js';
import { floatWaveOf, plainWaveOf } from './copy-wave.js';
import { readFormat, refusalOf } from './probe.js';

/** Copies are about as large as their originals. A few bytes may decode to hours of noise, which no encoder makes small again. */
const MOST_GROWTH = 2;
const MOST_BYTES_OF_SMALL_FILES = 1 << 20;

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
  const { copyAs, codec } = format;
  if (copyAs === undefined) return null;
  const path = join(outFolder, 'playback');
  try {
    await write(path, copyOf(file, format, copyAs), Math.max(file.size * MOST_GROWTH, MOST_BYTES_OF_SMALL_FILES));
  } catch (error) {
    // Throws what is no fault of the file.
    refusalOf(error);
    throw noCopy();
  }
  if (copyAs.to === 'flac') return { path, contentType: 'audio/flac', codec: 'flac' };
  return { path, contentType: 'audio/wav', codec: copyAs.to === 'float32' ? 'pcm_f32le' : codec };
}

/** A part of a copy: appended, or written at an offset that was written before. */
export interface CopiedBytes {
  readonly bytes: Uint8Array;
  readonly at?: number;
}

function copyOf(file: AudioFile, format: AudioFormat, plan: CopyPlan): AsyncIterable<CopiedBytes> {
  if (plan.to === 'flac') return flacOf(file, format, plan.bits);
  return plan.to === 'float32' ? floatWaveOf(file, format.decoding) : plainWaveOf(file, format.decoding);
}

async function write(path: string, parts: AsyncIterable<CopiedBytes>, mostBytes: number): Promise<void> {
  const output = await open(path, 'w');
  let size = 0;
  try {
    for await (const { bytes, at } of parts) {
      const position = at ?? size;
      size = Math.max(size, position + bytes.length);
      if (size > mostBytes) throw noCopy();
      await output.write(bytes, 0, bytes.length, position);
    }
  } finally {
    await output.close();
  }
}
