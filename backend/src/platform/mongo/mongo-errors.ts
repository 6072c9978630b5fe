import { MongoBulkWriteError, MongoError, MongoNetworkError, MongoServerError, MongoSystemError } from 'mongodb';
import { DiskFull, ServiceUnavailable } from '../store-errors.js';

/** Codes for "not now": no primary, a timeout, too few members for a majority, a user without access. https://www.mongodb.com/docs/manual/reference/error-codes/ */
const UNAVAILABLE_CODES = new Set([
  6, 7, 13, 18, 24, 43, 50, 64, 74, 79, 89, 91, 94, 100, 112, 133, 134, 175, 189, 202, 237, 246, 262, 358, 391, 462, 9001, 10058, 10107, 11600, 11601, 11602,
  13388, 13435, 13436,
]);
const OUT_OF_DISK_SPACE = 14_031;
const DUPLICATE = 11_000;
const NAMESPACE_EXISTS = 48;
/** Names of the driver's errors for a missing connection, besides network errors. Not all of these classes are exported. */
const UNAVAILABLE_NAMES =
  /^(?:MongoWaitQueueTimeoutError|MongoPoolClosedError|MongoOperationTimeoutError|MongoNotConnectedError|MongoTopologyClosedError|MongoClientClosedError|MongoServerClosedError|MongoExpiredSessionError|MongoStalePrimaryError)$/;

/** Whether an insert failed because the id is taken. */
export const isDuplicate = (error: unknown): boolean => error instanceof MongoServerError && error.code === DUPLICATE;

/** Whether creating a collection failed because it exists. */
export const isThere = (error: unknown): boolean => error instanceof MongoServerError && error.code === NAMESPACE_EXISTS;

/**
 * The indexes of the writes in an unordered bulk that failed because the id is taken.
 * @throws the error itself if anything else failed, or if the writes may not be durable
 */
export function duplicatesIn(error: unknown): readonly number[] {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) throw error;
  const failed = [error.writeErrors].flat();
  if (failed.length === 0 || failed.some(({ code }) => code !== DUPLICATE)) throw error;
  return failed.map(({ index }) => index);
}

/**
 * Maps the driver's errors to the stores'; other errors are returned unchanged. The driver's error is never passed on, not even as a cause, because it
 * contains the written documents with personal data and keys.
 */
export function asStoreError(error: unknown): Error {
  if (!(error instanceof MongoError)) return error instanceof Error ? error : new Error(String(error));
  const reason = reasonOf(error);
  if (!(reason instanceof MongoServerError)) {
    const isUnavailable = reason instanceof MongoNetworkError || reason instanceof MongoSystemError || UNAVAILABLE_NAMES.test(reason.name);
    return isUnavailable
      ? new ServiceUnavailable(`MongoDB is unavailable: ${reason.message}`)
      : new Error(`the MongoDB driver refused the call: ${reason.message}`);
  }
  const code = codeOf(reason);
  if (code === OUT_OF_DISK_SPACE || /no space left|space quota/i.test(reason.message)) return new DiskFull('the disk of MongoDB is full');
  const text = `MongoDB answered ${nameOfCode(reason)} (${code ?? 'no code'})`;
  return isForNow(reason, code) ? new ServiceUnavailable(text) : new Error(text);
}

/** A bulk's error wraps the one that ended it. */
function reasonOf(error: MongoError): MongoError {
  return error instanceof MongoBulkWriteError && error.errorResponse instanceof MongoError ? error.errorResponse : error;
}

/** In a bulk, any other failure takes precedence over a taken id. */
function codeOf(error: MongoServerError): number | null {
  if (error instanceof MongoBulkWriteError) {
    const other = [error.writeErrors].flat().find(({ code }) => code !== DUPLICATE) ?? error.result.getWriteConcernError();
    if (other?.code !== undefined) return other.code;
  }
  return typeof error.code === 'number' ? error.code : null;
}

const isForNow = (error: MongoServerError, code: number | null): boolean =>
  (code !== null && UNAVAILABLE_CODES.has(code)) ||
  ['RetryableWriteError', 'TransientTransactionError', 'SystemOverloadedError'].some((label) => error.hasErrorLabel(label));

const nameOfCode = ({ codeName }: MongoServerError): string => codeName ?? 'an error';
