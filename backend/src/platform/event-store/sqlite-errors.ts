import { resultCode } from '../sqlite/sqlite-errors.js';
import { DiskFull, StoreAway, StoreDamaged } from '../store-errors.js';

const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const FULL = 13;
const TOO_BIG = 18;
const CONSTRAINT = 19;
const MISMATCH = 20;
const RANGE = 25;
const NOT_A_DATABASE = 26;
/** Extended codes: the file ends before a page that it should have; there was no room for the index of the write-ahead log. */
const IOERR_SHORT_READ = 522;
const IOERR_SHMSIZE = 4874;

/** What a failed statement means for the log. `item`: the fault of what was given; `broken`: nothing is known of the connection any more. */
export type SqliteFault = 'busy' | 'full' | 'damaged' | 'item' | 'broken';

/** Sorts an error by SQLite's result code (https://www.sqlite.org/rescode.html); what is no SQLite error is the item's fault. */
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
    case NOT_A_DATABASE:
    case IOERR_SHORT_READ:
      return 'damaged';
    default:
      return 'broken';
  }
}

/** The error that callers of the port see for a failed read or open. A program's own error is given back as it is. */
export function storeErrorOf(error: unknown, file: string): Error {
  if (error instanceof StoreDamaged) return error;
  const fault = faultOf(error);
  if (fault === 'full') return new DiskFull(`no room for ${file}`, { cause: error });
  if (fault === 'damaged') return new StoreDamaged(`${file} is damaged: ${messageOf(error)}`, file, 0);
  if (fault === 'item') return error instanceof Error ? error : new Error(messageOf(error), { cause: error });
  return new StoreAway(`${file} cannot be used: ${messageOf(error)}`, { cause: error });
}

/** The text of whatever was thrown; errors of another realm are no instances of our Error. */
export function messageOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}
