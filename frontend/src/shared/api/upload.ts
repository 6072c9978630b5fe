import type { NewUploadAnswer, NewUploadBody } from '@roughmix/contracts/media/upload.api.js';
import { UPLOAD_PATH } from '@roughmix/contracts/media/upload.paths.js';
import type { Problem } from '@roughmix/contracts/shared/problems.js';
import { ApiProblem, OfflineError } from './api-errors';
import { addressOf, api } from './client';

export type UploadTarget = Pick<NewUploadBody, 'purpose' | 'projectId' | 'versionId' | 'commentId'>;
export interface UploadOptions {
  /** Called with the bytes sent so far, of `file.size`. */
  readonly onProgress?: (sentBytes: number) => void;
  readonly signal?: AbortSignal;
}
/** The upload's id, and the id that its version will have (null for an image). */
export type Uploaded = Pick<NewUploadAnswer, 'uploadId' | 'versionId'>;

function failureOf(request: XMLHttpRequest): ApiProblem | OfflineError {
  if (!request.getResponseHeader('Content-Type')?.includes('json')) return new OfflineError(`PUT returned ${request.status}`);
  return new ApiProblem(JSON.parse(request.responseText) as Problem);
}

/** XMLHttpRequest, because fetch does not report upload progress. */
function put(file: File, answer: NewUploadAnswer, { onProgress, signal }: UploadOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(answer.method, addressOf(answer.url));
    for (const [name, value] of Object.entries(answer.headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress?.(loaded);
    request.onload = () => (request.status >= 200 && request.status < 300 ? resolve() : reject(failureOf(request)));
    request.onerror = () => reject(new OfflineError('PUT failed'));
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);
    request.send(file);
  });
}

/**
 * Uploads a file to the URL that the server signs.
 * @throws ApiProblem if it is refused, OfflineError if the connection fails, an AbortError if `signal` aborts
 */
export async function uploadFile(file: File, target: UploadTarget, options: UploadOptions = {}): Promise<Uploaded> {
  const body: NewUploadBody = { ...target, filename: file.name, contentType: file.type, size: file.size };
  const { answer } = await api.send<NewUploadAnswer>('POST', UPLOAD_PATH, body, { signal: options.signal });
  options.signal?.throwIfAborted();
  await put(file, answer, options);
  return { uploadId: answer.uploadId, versionId: answer.versionId };
}
