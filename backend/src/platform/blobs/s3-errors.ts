import { S3ServiceException } from '@aws-sdk/client-s3';
import { DiskFull, ServiceUnavailable } from '../store-errors.js';

/** Error codes for a full server or an exceeded quota. */
const FULL = new Set(['InsufficientStorage', 'QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded', 'StorageFull']);
/** Our own bugs: retrying would not help. */
const OURS = new Set(['InvalidArgument', 'InvalidRequest', 'MalformedXML', 'InvalidRange', 'KeyTooLongError']);

/** The HTTP status of a server's error; null if it did not answer. */
export const statusOf = (error: unknown): number | null => (error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? null) : null);

/** Whether the object does not exist. A missing bucket looks the same to HEAD, which has no body. */
export const isMissing = (error: unknown): boolean => error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name);

/** Awaits a removal. Some servers answer concurrent removals of an object with NoSuchKey, which is a success. */
export async function ignoreMissing(removal: Promise<unknown>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

/** Maps a call's error to the port's: `ServiceUnavailable` if the server may recover. Missing objects and our own bugs are returned unchanged. */
export function storeError(error: unknown): unknown {
  if (error instanceof ServiceUnavailable || error instanceof DiskFull || isMissing(error)) return error;
  if (!(error instanceof Error)) return error;
  if (FULL.has(error.name) || statusOf(error) === 507) return new DiskFull('the S3 server is full', { cause: error });
  if (OURS.has(error.name)) return error;
  return new ServiceUnavailable(`the S3 server did not do it: ${error.name}`, { cause: error });
}

/** Makes a call whose response must start within a timeout in milliseconds; streaming its body is not limited. @throws ServiceUnavailable, DiskFull */
export async function callWithTimeout<Answer>(
  milliseconds: number,
  call: (options: { readonly abortSignal: AbortSignal }) => Promise<Answer>,
): Promise<Answer> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), milliseconds);
  try {
    return await call({ abortSignal: deadline.signal });
  } catch (error) {
    throw storeError(error);
  } finally {
    clearTimeout(timer);
  }
}
