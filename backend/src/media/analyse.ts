import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import { AudioRefused, damaged, notAudio, type AnalysisResult, type AudioFormat } from './audio-format.js';
import { withAudioFile, type AudioFile } from './audio-file.js';
import { copyForBrowsers } from './copy-audio.js';
import { decodeAudio, type DecodedPiece } from './decode-audio.js';
import { createLoudnessMeter, type LoudnessMeter } from './loudness.js';
import { createPeaksBuilder, type PeaksBuilder } from './peaks-builder.js';
import { readFormat, refusalOf } from './probe.js';

export interface AnalysisOptions {
  /** An existing folder for the peaks and the copy. */
  readonly outFolder: string;
  /** The duration that the probe found, in seconds. */
  readonly duration: number;
}

/** How much shorter than its header states a file may be once decoded, in seconds. */
const SLACK_SECONDS = 0.5;

interface Measurement {
  readonly sampleRate: number;
  readonly channels: number;
  readonly mayContainNonNumbers: boolean;
  readonly meter: LoudnessMeter;
  readonly peaks: PeaksBuilder;
  samples: number;
}

/**
 * Decodes the whole file, measures it, and writes one peaks file per level, and the copy that browsers need.
 * For untrusted files, run it in a child process (see audio-worker.ts).
 * @throws file system errors
 */
export async function analyseAudio(path: string, options: AnalysisOptions): Promise<AnalysisResult> {
  try {
    return await withAudioFile(path, (await stat(path)).size, (file) => analyse(file, options));
  } catch (error) {
    return { ok: false, code: refusalOf(error).code };
  }
}

async function analyse(file: AudioFile, { outFolder, duration }: AnalysisOptions): Promise<AnalysisResult> {
  const format = await readFormat(file);
  refuseTooLong({ ...format, samples: (format.duration ?? 0) * format.sampleRate });
  const measured = await measure(file, format);
  const seconds = measured.samples / measured.sampleRate;
  if (duration - seconds > SLACK_SECONDS) throw damaged();
  const levels = measured.peaks.encode();
  const files = levels.map((_, level) => join(outFolder, `peaks-${level}`));
  for (const [level, bytes] of levels.entries()) await writeFile(files[level] ?? '', bytes);
  const { sampleRate, channels } = measured;
  const facts = { duration: toMillis(seconds), sampleRate, channels, codec: format.codec, ...measured.meter.result() };
  return { ok: true, ...facts, levels: levels.length, files, copy: await copyForBrowsers(file, format, outFolder) };
}

async function measure(file: AudioFile, format: AudioFormat): Promise<Measurement> {
  let measurement: Measurement | null = null;
  try {
    for await (const piece of decodeAudio(file, format)) {
      measurement ??= startMeasuring(format, piece);
      take(measurement, piece);
    }
  } catch (error) {
    throw measurement || error instanceof AudioRefused ? refusalOf(error) : undecodable(error);
  }
  if (!measurement) throw notAudio();
  return measurement;
}

function undecodable(error: unknown): AudioRefused {
  refusalOf(error);
  return notAudio();
}

function startMeasuring(format: AudioFormat, first: DecodedPiece): Measurement {
  const { sampleRate } = first;
  const channels = Math.max(format.channels, first.channelData.length);
  const mayContainNonNumbers = format.codec.startsWith('pcm_f');
  return { sampleRate, channels, mayContainNonNumbers, meter: createLoudnessMeter(sampleRate, channels), peaks: createPeaksBuilder(channels), samples: 0 };
}

function take(measurement: Measurement, piece: DecodedPiece): void {
  if (piece.sampleRate !== measurement.sampleRate) throw damaged();
  const channelData = spread(piece.channelData, measurement.channels);
  if (measurement.mayContainNonNumbers) channelData.forEach(silenceNonNumbers);
  measurement.meter.push(channelData);
  measurement.peaks.push(channelData);
  measurement.samples += channelData[0]?.length ?? 0;
  refuseTooLong(measurement);
}

/** Time and samples of all channels are limited, since a few kB can state, and decode to, hours at the highest rate. */
function refuseTooLong({ samples, sampleRate, channels }: Pick<Measurement, 'samples' | 'sampleRate' | 'channels'>): void {
  if (samples / sampleRate > LIMITS.audioSeconds || samples * channels > LIMITS.audioSamples) throw new AudioRefused('upload.too-long');
}

/** The decoder merges identical channels, so a piece of a stereo file may be mono. */
function spread(channelData: readonly Float32Array[], channels: number): readonly Float32Array[] {
  if (channelData.length === channels) return channelData;
  const first = channelData[0] ?? new Float32Array(0);
  return Array.from({ length: channels }, (_, channel) => channelData[channel] ?? first);
}

/** Floating-point audio may contain infinities or NaN, and a single one would spoil every measurement. */
function silenceNonNumbers(samples: Float32Array): void {
  for (let at = 0; at < samples.length; at++) if (!Number.isFinite(samples[at])) samples[at] = 0;
}
