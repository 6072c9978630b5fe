import { DiskFull, StoreAway, StoreDamaged } from '../store-errors.js';

/** SQLite's primary result codes that mean something to us: https://sqlite.org/rescode.html */
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
/** An extended code: the file ends before a page that it should have. */
const IOERR_SHORT_READ = 522;
/** An extended code: there was no room for the index of the write-ahead log. */
const IOERR_SHMSIZE = 4874;

/** Reading several rows throws the text of a code without the code. */
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

/** What an error thrown by SQLite means, null for any other error: the primary result code, and the extended one where that tells more. */
function resultCode(error: unknown): number | null {
  // Not by instanceof: the library's errors may come from another realm.
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return null;
  if (!('errcode' in error) || typeof error.errcode !== 'number') return CODES_BY_TEXT.get(messageOf(error)) ?? null;
  return [IOERR_SHORT_READ, IOERR_SHMSIZE].includes(error.errcode) ? error.errcode : error.errcode & 0xff;
}

/** The text of any thrown value; errors of another realm are not instances of our Error. */
export const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);

/** For documents and vault: turns what SQLite throws into the errors of the stores; any other error comes back as it is. SQLite does not say where damage lies, so the offset is 0. */
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
      return new StoreAway(text, { cause: error });
    default:
      return error instanceof Error ? error : new Error(text);
  }
}

/** What a failed statement means for the log. `item`: the append itself is at fault; `broken`: the connection is in an unknown state. */
export type SqliteFault = 'busy' | 'full' | 'damaged' | 'item' | 'broken';

/** Sorts an error of the log by SQLite's result code. Errors that are not SQLite's are the item's fault. */
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

/** The error that callers of the event store see for a failed read or open. Unlike {@link asStoreError} it takes every unknown code for a broken connection. */
export function storeErrorOf(error: unknown, file: string): Error {
  if (error instanceof StoreDamaged) return error;
  const fault = faultOf(error);
  if (fault === 'full') return new DiskFull(`no room for ${file}`, { cause: error });
  if (fault === 'damaged') return new StoreDamaged(`${file} is damaged: ${messageOf(error)}`, file, 0);
  if (fault === 'item') return error instanceof Error ? error : new Error(messageOf(error), { cause: error });
  return new StoreAway(`${file} cannot be used: ${messageOf(error)}`, { cause: error });
}

/** An error as it travels from the writing thread: structured cloning would lose its class. */
export interface CarriedError {
  readonly name: string;
  readonly message: string;
  readonly file?: string;
}

/** Packs an error for {@link unpackError}. */
export function packError(error: unknown, file: string): CarriedError {
  const { name, message } = asStoreError(error, file);
  return { name, message, file };
}

/** The error that {@link packError} was given, with its class. */
export function unpackError({ name, message, file = '' }: CarriedError): Error {
  if (name === 'DiskFull') return new DiskFull(message);
  if (name === 'StoreAway') return new StoreAway(message);
  if (name === 'StoreDamaged') return new StoreDamaged(message, file, 0);
  return new Error(message);
}
