import { MongoBulkWriteError, MongoError, MongoNetworkError, MongoServerError, MongoSystemError } from 'mongodb';
import { DiskFull, StoreAway } from '../store-errors.js';

/** Codes that mean "not now": no primary, an answer too late, too few members for a majority, a user that is not let in. https://www.mongodb.com/docs/manual/reference/error-codes/ */
const AWAY = new Set([
  6, 7, 13, 18, 24, 43, 50, 64, 74, 79, 89, 91, 94, 100, 112, 133, 134, 175, 189, 202, 237, 246, 262, 358, 391, 462, 9001, 10058, 10107, 11600, 11601, 11602,
  13388, 13435, 13436,
]);
const OUT_OF_DISK_SPACE = 14_031;
const DUPLICATE = 11_000;
const NAMESPACE_EXISTS = 48;
/** What the driver throws, beside network errors, when it has no connection to give: these classes are not all exported. */
const AWAY_NAMES =
  /^(?:MongoWaitQueueTimeoutError|MongoPoolClosedError|MongoOperationTimeoutError|MongoNotConnectedError|MongoTopologyClosedError|MongoClientClosedError|MongoServerClosedError|MongoExpiredSessionError|MongoStalePrimaryError)$/;

/** Whether a document was not inserted because its id is taken. */
export const isDuplicate = (error: unknown): boolean => error instanceof MongoServerError && error.code === DUPLICATE;

/** Whether a collection was not made because it is there already. */
export const isThere = (error: unknown): boolean => error instanceof MongoServerError && error.code === NAMESPACE_EXISTS;

/**
 * Which writes of an unordered bulk were not made because the id is taken, by their place in it.
 * @throws the error itself, when anything else failed, or when what was written may not last
 */
export function duplicatesIn(error: unknown): readonly number[] {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) throw error;
  const failed = [error.writeErrors].flat();
  if (failed.length === 0 || failed.some(({ code }) => code !== DUPLICATE)) throw error;
  return failed.map(({ index }) => index);
}

/**
 * Turns what the driver throws into the errors of the stores; what is none of the driver's comes back as it is. The driver's own error is never handed on,
 * not even as a cause: it carries the documents that were written, and with them people's names and keys.
 */
export function asStoreError(error: unknown): Error {
  if (!(error instanceof MongoError)) return error instanceof Error ? error : new Error(String(error));
  const reason = reasonOf(error);
  if (!(reason instanceof MongoServerError)) {
    const isAway = reason instanceof MongoNetworkError || reason instanceof MongoSystemError || AWAY_NAMES.test(reason.name);
    return isAway ? new StoreAway(`MongoDB is away: ${reason.message}`) : new Error(`MongoDB's driver refused: ${reason.message}`);
  }
  const code = codeOf(reason);
  if (code === OUT_OF_DISK_SPACE || /no space left|space quota/i.test(reason.message)) return new DiskFull('MongoDB has no room left');
  const text = `MongoDB said ${nameOfCode(reason)} (${code ?? 'no code'})`;
  return isForNow(reason, code) ? new StoreAway(text) : new Error(text);
}

/** A bulk's error hides the one that ended it. */
function reasonOf(error: MongoError): MongoError {
  return error instanceof MongoBulkWriteError && error.errorResponse instanceof MongoError ? error.errorResponse : error;
}

/** In a bulk a taken id says nothing beside another failure. */
function codeOf(error: MongoServerError): number | null {
  if (error instanceof MongoBulkWriteError) {
    const other = [error.writeErrors].flat().find(({ code }) => code !== DUPLICATE) ?? error.result.getWriteConcernError();
    if (other?.code !== undefined) return other.code;
  }
  return typeof error.code === 'number' ? error.code : null;
}

const isForNow = (error: MongoServerError, code: number | null): boolean =>
  (code !== null && AWAY.has(code)) ||
  ['RetryableWriteError', 'TransientTransactionError', 'SystemOverloadedError'].some((label) => error.hasErrorLabel(label));

const nameOfCode = ({ codeName }: MongoServerError): string => codeName ?? 'an error';
