import type { NewUploadAnswer, NewUploadBody } from '@roughmix/contracts/media/upload.api.js';
import { UPLOAD_PATH } from '@roughmix/contracts/media/upload.paths.js';
import type { Problem } from '@roughmix/contracts/shared/problems.js';
import { ApiProblem, OfflineError } from './api-errors';
import { addressOf, api } from './client';

export type UploadTarget = Pick<NewUploadBody, 'purpose' | 'projectId' | 'versionId' | 'commentId'>;
export interface UploadOptions {
  /** Told the bytes that have gone, out of `file.size`. */
  readonly onProgress?: (sentBytes: number) => void;
  readonly signal?: AbortSignal;
}
/** The upload that the using call names, and the id that its version will have (null for an image). */
export type Uploaded = Pick<NewUploadAnswer, 'uploadId' | 'versionId'>;

function failureOf(request: XMLHttpRequest): ApiProblem | OfflineError {
  if (!request.getResponseHeader('Content-Type')?.includes('json')) return new OfflineError(`PUT answered ${request.status}`);
  return new ApiProblem(JSON.parse(request.responseText) as Problem);
}

/** XMLHttpRequest, because fetch does not tell how much has gone. */
function put(file: File, answer: NewUploadAnswer, { onProgress, signal }: UploadOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(answer.method, addressOf(answer.url));
    for (const [name, value] of Object.entries(answer.headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress?.(loaded);
    request.onload = () => (request.status >= 200 && request.status < 300 ? resolve() : reject(failureOf(request)));
    request.onerror = () => reject(new OfflineError('PUT broke off'));
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);
    request.send(file);
  });
}

/**
 * Puts one file where the server says.
 * @throws ApiProblem when it is refused, OfflineError when it breaks off, an AbortError when `signal` aborts
 */
export async function uploadFile(file: File, target: UploadTarget, options: UploadOptions = {}): Promise<Uploaded> {
  const body: NewUploadBody = { ...target, filename: file.name, contentType: file.type, size: file.size };
  const { answer } = await api.send<NewUploadAnswer>('POST', UPLOAD_PATH, body, { signal: options.signal });
  options.signal?.throwIfAborted();
  await put(file, answer, options);
  return { uploadId: answer.uploadId, versionId: answer.versionId };
}
