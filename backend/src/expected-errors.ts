import { types } from 'node:util';

/** A command line or a combination of settings that cannot work; the message is for the operator. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

/** Errors whose message tells an operator everything. Compared by name, so that no server's client is loaded for them. */
const EXPECTED: ReadonlySet<string> = new Set([
  'StartRefused',
  'ServiceUnavailable',
  'StoreDamaged',
  'DiskFull',
  'WrongMasterKey',
  'BucketUnusable',
  'StoresMismatch',
  'LogIsNewer',
  'SettleRefused',
  'MoveRefused',
  'BackupUnusable',
]);

/** A failed system call: its message names the address or the path. */
export interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
  readonly port?: number;
}

export const isSystemError = (error: unknown): error is SystemError => types.isNativeError(error) && 'syscall' in error && 'code' in error;

/** Whether the message is enough; other errors are bugs and need their stack. */
export const isExpectedError = (error: unknown): boolean => isSystemError(error) || (error instanceof Error && EXPECTED.has(error.name));
