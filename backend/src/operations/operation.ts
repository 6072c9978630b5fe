import type { ParseArgsConfig } from 'node:util';
import type { Config } from '../platform/config/config.js';
import type { SecurityLog } from '../platform/security/security-log.js';

/** The options of a command line, as `node:util` reads them. */
export type OperationOptions = NonNullable<ParseArgsConfig['options']>;

/** The input and output of a running operation. */
export interface OperationContext {
  readonly config: Config;
  /** The values of the given options; a flag is true, a missing option undefined. */
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  /** The positional arguments. */
  readonly rest: readonly string[];
  /** Prints a line of the result on standard output; resolves when more can be written. */
  print(line: string): Promise<void>;
  /** Prints a progress line or a warning on standard error. */
  log(line: string): void;
  /** What this process does is recorded here; what a running server does for it, the server records. */
  readonly security: SecurityLog;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/** A command of the operator, with or without a running program. */
export interface Operation {
  /** The words that select it: 'events verify'. */
  readonly name: string;
  readonly about: string;
  /** The arguments after the name: '[--after N] [--follow]'. */
  readonly usage: string;
  readonly options: OperationOptions;
  /** It accepts positional arguments; otherwise any is refused before it runs. */
  readonly takesNames?: true;
  /** @returns the exit code: 0 success, 1 a problem was found, 2 invalid arguments */
  run(context: OperationContext): Promise<number>;
}

/** The reason of {@link OperationContext.signal} when the reader of the output has seen enough, such as `head`. */
export const READER_GONE = 'the reader of the output is gone';

/** Invalid or impossible request of the operator. Only its message is printed. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
}
