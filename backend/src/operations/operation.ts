import type { ParseArgsConfig } from 'node:util';
import type { Config } from '../platform/config/config.js';

/** The options of a command line, as `node:util` reads them. */
export type OperationOptions = NonNullable<ParseArgsConfig['options']>;

/** What an operator asked for. */
export interface Asked {
  readonly config: Config;
  /** The values of the options given; a flag is true, an option without a value is not there. */
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  /** What stands beside options. */
  readonly rest: readonly string[];
  /** A line of the answer, on standard output; resolves when more may be said. */
  say(line: string): Promise<void>;
  /** A line about the work, on standard error. */
  tell(line: string): void;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/** One thing an operator can do from the command line, beside the running program or without it. */
export interface Operation {
  /** The words that call it: 'events verify'. */
  readonly name: string;
  readonly about: string;
  /** What stands behind the name: '[--after N] [--follow]'. */
  readonly usage: string;
  readonly options: OperationOptions;
  /** It takes names beside its options; without this any is refused before it runs. */
  readonly takesNames?: true;
  /** @returns the exit code: 0 done, 1 found something wrong, 2 asked for nonsense */
  run(asked: Asked): Promise<number>;
}

/** An operation that was asked for in a way that makes no sense. Its message is all that is told. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
}
