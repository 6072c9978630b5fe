import type { NewUploadAnswer, NewUploadBody } from '@roughmix/contracts/media/upload.api.js';
import { UPLOAD_PATH } from '@roughmix/contracts/media/upload.paths.js';
import { OfflineError } from './api-errors';
import { addressOf, api, pause } from './client';
import { guardUnload } from './unload-guard';
import { uploadFailure } from './upload-failure';

export type UploadTarget = Pick<NewUploadBody, 'purpose' | 'projectId' | 'versionId' | 'commentId'>;
export interface UploadOptions {
  /** Called with the bytes sent so far, of `file.size`. */
  readonly onProgress?: (sentBytes: number) => void;
  /** Called before the first, second and third repeat, with its number. */
  readonly onRepeat?: (repeat: number) => void;
  readonly signal?: AbortSignal;
}
/** The upload's id, and the id that its version will have (null for an image). */
export type Uploaded = Pick<NewUploadAnswer, 'uploadId' | 'versionId'>;

export interface UploadPolicy {
  /** An upload without progress for this long is aborted. */
  readonly stallMs: number;
  /** Delays before the repeats of an upload that stalled or was interrupted. */
  readonly repeatDelaysMs: readonly number[];
}
export const UPLOAD_POLICY: UploadPolicy = { stallMs: 30_000, repeatDelaysMs: [1_000, 4_000, 10_000] };

/** Calls `onStall` once nothing has been sent for a while. */
function watchProgress(stallMs: number, onStall: () => void) {
  let timer = setTimeout(onStall, stallMs);
  let most = 0;
  return {
    progress: (sentBytes: number) => {
      if (sentBytes <= most) return;
      most = sentBytes;
      clearTimeout(timer);
      timer = setTimeout(onStall, stallMs);
    },
    stop: () => clearTimeout(timer),
  };
}

/** XMLHttpRequest, because fetch does not report upload progress. */
function put(file: File, answer: NewUploadAnswer, { onProgress, signal }: UploadOptions, stallMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const watch = watchProgress(stallMs, () => {
      reject(new OfflineError('the upload stalled'));
      abort();
    });
    request.open(answer.method, addressOf(answer.url));
    for (const [name, value] of Object.entries(answer.headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => {
      watch.progress(loaded);
      onProgress?.(loaded);
    };
    request.onload = () => {
      const { status, statusText, responseText: text } = request;
      if (status >= 200 && status < 300) resolve();
      else reject(uploadFailure({ status, statusText, text, contentType: request.getResponseHeader('Content-Type') ?? '' }));
    };
    request.onerror = () => reject(new OfflineError('PUT failed'));
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    request.onloadend = () => {
      watch.stop();
      signal?.removeEventListener('abort', abort);
    };
    signal?.addEventListener('abort', abort);
    request.send(file);
  });
}

async function attempt(file: File, target: UploadTarget, options: UploadOptions, stallMs: number): Promise<Uploaded> {
  const body: NewUploadBody = { ...target, filename: file.name, contentType: file.type, size: file.size };
  const { answer } = await api.send<NewUploadAnswer>('POST', UPLOAD_PATH, body, { signal: options.signal });
  options.signal?.throwIfAborted();
  await put(file, answer, options, stallMs);
  return { uploadId: answer.uploadId, versionId: answer.versionId };
}

/** Signed URLs accept one PUT, so an upload that stalls or is interrupted is repeated as a new one. */
async function withRepeats(run: () => Promise<Uploaded>, { onProgress, onRepeat, signal }: UploadOptions, delaysMs: readonly number[]): Promise<Uploaded> {
  for (const [index, delayMs] of delaysMs.entries()) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof OfflineError)) throw error;
      onRepeat?.(index + 1);
      onProgress?.(0);
      await pause(delayMs, signal);
    }
  }
  return run();
}

/**
 * Uploads a file to the URL that the server signs. The browser asks before the tab is closed meanwhile.
 * @throws ApiProblem or UploadRefused if it is refused, OfflineError if it failed with every repeat, an AbortError if `signal` aborts
 */
export async function uploadFile(file: File, target: UploadTarget, options: UploadOptions = {}, policy: UploadPolicy = UPLOAD_POLICY): Promise<Uploaded> {
  const release = guardUnload();
  try {
    return await withRepeats(() => attempt(file, target, options, policy.stallMs), options, policy.repeatDelaysMs);
  } finally {
    release();
  }
}
