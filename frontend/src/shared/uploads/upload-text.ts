import { formatBytes } from '../format/bytes';
import type { UploadStatus } from './upload-jobs';

type Running = Extract<UploadStatus, { at: 'running' }>;

/** Estimates are too inaccurate before this. */
const GUESS_AFTER_MS = 1_000;
const REPEATS = 3;

/** Estimated seconds until the upload is done; null while there is no estimate. */
export function secondsLeft(sent: number, size: number, elapsedMs: number): number | null {
  if (elapsedMs < GUESS_AFTER_MS || sent === 0) return null;
  return Math.ceil(((size - sent) * elapsedMs) / sent / 1_000);
}

const DOING: Readonly<Record<Exclude<Running['step'], 'uploading'>, string>> = {
  creating: 'Creating the project',
  reading: 'Reading the file',
  finishing: 'Opening the project',
};

/** What a running upload is doing. */
export function uploadText({ step, sent, startedAt, repeat }: Running, size: number): string {
  if (step !== 'uploading') return DOING[step];
  if (repeat > 0 && sent === 0) return `The upload was interrupted. Trying again (${repeat} of ${REPEATS})`;
  const left = secondsLeft(sent, size, Date.now() - startedAt);
  return left === null ? `Uploading ${formatBytes(size)}` : `Uploading, ${left} ${left === 1 ? 'second' : 'seconds'} left`;
}
