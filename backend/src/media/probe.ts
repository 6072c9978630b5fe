import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import { AudioRefused, damaged, noCopy, notAudio, type AudioFormat, type ProbeResult } from './audio-format.js';
import { textAt, viewOf, withAudioFile, type AudioFile } from './audio-file.js';
import { isOtherAudio } from './other-audio.js';
import { readFlac } from './probe-flac.js';
import { readMp4 } from './probe-mp4.js';
import { readMpeg } from './probe-mpeg.js';
import { readOgg } from './probe-ogg.js';
import { readWave } from './probe-wave.js';

/** Formats that browsers play. */
const CHANNELS = { least: 1, most: 8 };
const SAMPLE_RATE = { least: 3_000, most: 384_000 };
const MAX_TAGS = 8;

/**
 * Identifies a file by its content, never by its name, or says why it is refused. Reads headers and never decodes.
 * For untrusted files, run it in a child process (see audio-worker.ts).
 * @throws file system errors
 */
export async function probeAudio(path: string, size: number): Promise<ProbeResult> {
  try {
    return await withAudioFile(path, size, async (file) => {
      const { container, codec, contentType, sampleRate, channels, duration } = await readFormat(file);
      if (duration === null) throw new AudioRefused('upload.no-length');
      return { ok: true, container, codec, duration, sampleRate, channels, contentType };
    });
  } catch (error) {
    return { ok: false, code: refusalOf(error).code };
  }
}

/** As {@link probeAudio}, with what decoding needs. @throws AudioRefused */
export async function readFormat(file: AudioFile): Promise<AudioFormat> {
  const format = await readContainer(file);
  const { channels, sampleRate } = format;
  if (channels < CHANNELS.least || channels > CHANNELS.most) throw notAudio();
  if (sampleRate < SAMPLE_RATE.least || sampleRate > SAMPLE_RATE.most) throw notAudio();
  if (format.duration === null) return format;
  const duration = toMillis(format.duration);
  if (!(duration > 0)) throw notAudio();
  if (duration > LIMITS.audioSeconds) throw new AudioRefused('upload.too-long');
  return { ...format, duration };
}

/** A parser's error is the file's fault; a file system's or a missing permission is not, and is rethrown. */
export function refusalOf(error: unknown): AudioRefused {
  if (error instanceof AudioRefused) return error;
  if (isSystemError(error)) throw error;
  return damaged();
}

/** Checked by shape, because file system errors may come from another realm. */
const isSystemError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && ('syscall' in error || ('code' in error && error.code === 'ERR_ACCESS_DENIED'));

async function readContainer(file: AudioFile): Promise<AudioFormat> {
  if (file.size === 0) throw new AudioRefused('upload.empty');
  const start = await audioStart(file);
  const head = await file.read(start, 12);
  const signature = textAt(head, 0, 4);
  const form = textAt(head, 8, 4);
  if (signature === 'FORM' && (form === 'AIFF' || form === 'AIFC')) throw new AudioRefused('upload.aiff');
  if (signature === 'RIFF') return form === 'WAVE' ? readWave(file, start) : refuse();
  if (signature === 'fLaC') return readFlac(file, start);
  if (signature === 'OggS') return readOgg(file, start);
  if (textAt(head, 4, 4) === 'ftyp') return start === 0 ? readMp4(file) : refuse();
  if (isOtherAudio(head)) throw noCopy();
  return readMpeg(file, start);
}

function refuse(): never {
  throw notAudio();
}

/** Where the audio starts, after any ID3v2 tags. */
async function audioStart(file: AudioFile): Promise<number> {
  let at = 0;
  for (let count = 0; count < MAX_TAGS; count++) {
    const head = await file.read(at, 10);
    if (head.length < 10 || textAt(head, 0, 3) !== 'ID3') return at;
    const packed = viewOf(head).getUint32(6);
    if (packed & 0x80808080) return at;
    const length = ((packed >>> 24) << 21) | (((packed >>> 16) & 0x7f) << 14) | (((packed >>> 8) & 0x7f) << 7) | (packed & 0x7f);
    const footer = viewOf(head).getUint8(5) & 0x10 ? 10 : 0;
    at += 10 + length + footer;
    if (at > file.size) throw damaged();
  }
  return at;
}
