import type { Problem } from '@roughmix/contracts/shared/problems.js';
import { ApiProblem, OfflineError, UploadRefused } from './api-errors';

/** What an upload was answered with. */
export interface UploadResponse {
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string;
  readonly text: string;
}

/** Answers of proxies whose server is away for a moment. */
const TRANSIENT_STATUSES: readonly number[] = [408, 502, 503, 504];
/** The same, as codes of S3. */
const TRANSIENT_CODES: readonly string[] = ['RequestTimeout', 'InternalError', 'ServiceUnavailable', 'SlowDown'];
const TOO_LARGE = 413;
const S3_TOO_LARGE = 'EntityTooLarge';

function problemIn({ contentType, text }: UploadResponse): Problem | null {
  if (!contentType.includes('json')) return null;
  try {
    const problem = JSON.parse(text) as Partial<Problem> | null;
    return typeof problem?.code === 'string' && typeof problem.detail === 'string' ? (problem as Problem) : null;
  } catch {
    return null;
  }
}

/** An error of S3: XML with a code and a message. */
function storeErrorIn(text: string): { readonly code: string; readonly message: string } | null {
  if (!text.includes('<Error>')) return null;
  const error = new DOMParser().parseFromString(text, 'text/xml').querySelector('Error');
  const code = error?.querySelector('Code')?.textContent;
  return code ? { code, message: error?.querySelector('Message')?.textContent ?? code } : null;
}

/** Why an upload failed. Proxies and file stores answer in formats of their own. OfflineError means that a new attempt may succeed. */
export function uploadFailure(response: UploadResponse): ApiProblem | OfflineError | UploadRefused {
  const { status, statusText, text } = response;
  const problem = problemIn(response);
  if (problem !== null) return new ApiProblem(problem);
  const error = storeErrorIn(text);
  if (error !== null) {
    if (TRANSIENT_CODES.includes(error.code)) return new OfflineError(error.message);
    const reason = error.code === S3_TOO_LARGE ? 'does not accept files of this size.' : `refused this file: ${error.message}`;
    return new UploadRefused(`The file store ${reason}`);
  }
  if (TRANSIENT_STATUSES.includes(status)) return new OfflineError(`the upload returned ${status}`);
  const reason = status === TOO_LARGE ? 'does not accept files of this size.' : `refused this file: ${`${status} ${statusText}`.trim()}`;
  return new UploadRefused(`A proxy between you and Roughmix ${reason}`);
}
