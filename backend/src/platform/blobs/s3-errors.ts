import { S3ServiceException } from '@aws-sdk/client-s3';
import { DiskFull, StoreAway } from '../store-errors.js';

/** What servers call having no room: the first is in their answers of 507 too. */
const FULL = new Set(['InsufficientStorage', 'QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded', 'StorageFull']);
/** Our own mistakes: asking again would not help. */
const OURS = new Set(['InvalidArgument', 'InvalidRequest', 'MalformedXML', 'InvalidRange', 'KeyTooLongError']);

/** The status that an S3 server answered; null when it did not answer. */
export const statusOf = (error: unknown): number | null => (error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? null) : null);

/** Whether the server says that there is no such object (HEAD has no body to tell a missing bucket by). */
export const isMissing = (error: unknown): boolean => error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name);

/** A removal. Some servers answer that there is no such object to whoever removes it at the same time as somebody else: it is gone, as was asked. */
export async function gone(removal: Promise<unknown>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

/** An error of a call as the port has it: whatever a server may get over is `StoreAway`. What is missing and what is our own mistake stay as they are. */
export function storeError(error: unknown): unknown {
  if (error instanceof StoreAway || error instanceof DiskFull || isMissing(error)) return error;
  if (!(error instanceof Error)) return error;
  if (FULL.has(error.name) || statusOf(error) === 507) return new DiskFull('there is no room for the file', { cause: error });
  if (OURS.has(error.name)) return error;
  return new StoreAway(`the S3 server did not do it: ${error.name}`, { cause: error });
}

/** What a call gives, if its answer has come within the time (milliseconds); what streams after it is not counted. @throws StoreAway, DiskFull */
export async function asked<Answer>(milliseconds: number, ask: (options: { readonly abortSignal: AbortSignal }) => Promise<Answer>): Promise<Answer> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), milliseconds);
  try {
    return await ask({ abortSignal: deadline.signal });
  } catch (error) {
    throw storeError(error);
  } finally {
    clearTimeout(timer);
  }
}
