import { DiskFull, ServiceUnavailable, StoreDamaged } from '../store-errors.js';

/** The relevant primary result codes of SQLite: https://sqlite.org/rescode.html */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const TOO_BIG = 18;
const CONSTRAINT = 19;
const MISMATCH = 20;
const RANGE = 25;
const NOTADB = 26;
/** Extended code: the file ends before an expected page. */
const IOERR_SHORT_READ = 522;
/** Extended code: the disk is too full for the write-ahead log's index. */
const IOERR_SHMSIZE = 4874;

/** Reading several rows throws a code's text without the code. */
const CODES_BY_TEXT = new Map([
  ['database is locked', BUSY],
  ['database table is locked', LOCKED],
  ['attempt to write a readonly database', READONLY],
  ['disk I/O error', IOERR],
  ['database disk image is malformed', CORRUPT],
  ['database or disk is full', FULL],
  ['unable to open database file', CANTOPEN],
  ['file is not a database', NOTADB],
]);

/** The primary result code of an SQLite error, or the extended one where it matters; null for other errors. */
function resultCode(error: unknown): number | null {
  // Not instanceof, because the library's errors may come from another realm.
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return null;
  if (!('errcode' in error) || typeof error.errcode !== 'number') return CODES_BY_TEXT.get(messageOf(error)) ?? null;
  return [IOERR_SHORT_READ, IOERR_SHMSIZE].includes(error.errcode) ? error.errcode : error.errcode & 0xff;
}

/** The text of any thrown value; errors of another realm are not instances of our Error. */
export const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);

/** For documents and vault: maps SQLite's errors to the stores'; others are returned unchanged. SQLite does not locate damage, so the offset is 0. */
export function asStoreError(error: unknown, file: string): Error {
  const text = messageOf(error);
  switch (resultCode(error)) {
    case FULL:
    case IOERR_SHMSIZE:
      return new DiskFull(text, { cause: error });
    case CORRUPT:
    case NOTADB:
    case IOERR_SHORT_READ:
      return new StoreDamaged(text, file, 0);
    case BUSY:
    case LOCKED:
    case READONLY:
    case IOERR:
    case CANTOPEN:
      return new ServiceUnavailable(text, { cause: error });
    default:
      return error instanceof Error ? error : new Error(text);
  }
}

/** What a failed statement means for the log. `item`: the append itself is invalid; `broken`: the connection's state is unknown. */
export type SqliteFault = 'busy' | 'full' | 'damaged' | 'item' | 'broken';

/** Classifies an error of the log by SQLite's result code. Other errors are blamed on the item. */
export function faultOf(error: unknown): SqliteFault {
  if (error instanceof StoreDamaged) return 'damaged';
  switch (resultCode(error)) {
    case null:
    case TOO_BIG:
    case CONSTRAINT:
    case MISMATCH:
    case RANGE:
      return 'item';
    case BUSY:
    case LOCKED:
      return 'busy';
    case FULL:
    case IOERR_SHMSIZE:
      return 'full';
    case CORRUPT:
    case NOTADB:
    case IOERR_SHORT_READ:
      return 'damaged';
    default:
      return 'broken';
  }
}

/** The event store's error for a failed read or open. Unlike {@link asStoreError} it treats every unknown code as a broken connection. */
export function storeErrorOf(error: unknown, file: string): Error {
  if (error instanceof StoreDamaged) return error;
  const fault = faultOf(error);
  if (fault === 'full') return new DiskFull(`the disk is full: ${file}`, { cause: error });
  if (fault === 'damaged') return new StoreDamaged(`${file} is damaged: ${messageOf(error)}`, file, 0);
  if (fault === 'item') return error instanceof Error ? error : new Error(messageOf(error), { cause: error });
  return new ServiceUnavailable(`${file} cannot be used: ${messageOf(error)}`, { cause: error });
}

/** An error sent between threads; structured cloning would lose its class. */
export interface CarriedError {
  readonly name: string;
  readonly message: string;
  readonly file?: string;
}

/** The inverse of {@link unpackError}. */
export function packError(error: unknown, file: string): CarriedError {
  const { name, message } = asStoreError(error, file);
  return { name, message, file };
}

/** Restores an error with its class. */
export function unpackError({ name, message, file = '' }: CarriedError): Error {
  if (name === 'DiskFull') return new DiskFull(message);
  if (name === 'ServiceUnavailable') return new ServiceUnavailable(message);
  if (name === 'StoreDamaged') return new StoreDamaged(message, file, 0);
  return new Error(message);
}
