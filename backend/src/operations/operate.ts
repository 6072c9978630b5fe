import { once } from 'node:events';
import { parseArgs, types } from 'node:util';
import { isSystemError } from '../expected-errors.js';
import { ConfigError, readConfig } from '../platform/config/config.js';
import { OPERATOR } from '../platform/security/security-event.js';
import { SecurityLog } from '../platform/security/security-log.js';
import { systemClock } from '../platform/clock.js';
import { type OperationContext, type Operation, OperationError, READER_GONE } from './operation.js';
import { OPERATIONS } from './operations.js';

/** The output of an operation. */
export interface Terminal {
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

const nameParts = (operation: Operation): readonly string[] => operation.name.split(' ');

/** The operation whose name the arguments start with; the longest name wins. */
function find(args: readonly string[]): Operation | undefined {
  const called = OPERATIONS.filter((operation) => nameParts(operation).every((word, at) => args[at] === word));
  return called.toSorted((a, b) => nameParts(b).length - nameParts(a).length)[0];
}

/** The usage of all operations, or of one group (events, reactors) if only that word was given. */
function usage([group]: readonly string[]): string {
  const inGroup = OPERATIONS.filter((operation) => nameParts(operation)[0] === group);
  const lines = (inGroup.length > 0 ? inGroup : OPERATIONS).map(({ name, usage: rest, about }) => `  ${`${name} ${rest}`.trim()}\n      ${about}`);
  return ['usage: npm run -s operate -- <operation>', '', ...lines].join('\n');
}

const usageOf = ({ name, usage: rest }: Operation): string => `usage: npm run -s operate -- ${`${name} ${rest}`.trim()}`;

function problemOf(error: unknown): string | null {
  if (error instanceof OperationError || error instanceof ConfigError || isSystemError(error)) return error.message;
  return null;
}

const isParseError = (error: unknown): error is Error => types.isNativeError(error) && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

/** The help text of an operation, or of the possible ones; `problem` precedes it. */
function help(args: readonly string[], operation: Operation | undefined): { readonly text: string; readonly problem: string } {
  if (operation !== undefined) return { text: `${usageOf(operation)}\n${operation.about}`, problem: '' };
  return { text: usage(args), problem: args.length === 0 ? '' : `unknown operation ${JSON.stringify(args.join(' '))}\n` };
}

const isAbort = (error: unknown, signal: AbortSignal): boolean => error === signal.reason || (types.isNativeError(error) && error.name === 'AbortError');

/** @returns the exit code: it is no failure if the reader of the output has seen enough */
function endAborted(signal: AbortSignal, log: OperationContext['log']): number {
  if (signal.reason === READER_GONE) return 0;
  log('interrupted');
  return 1;
}

/**
 * Runs the operation that the arguments name, with the program's environment.
 * @returns the operation's exit code, or 2 for invalid arguments
 */
export async function operate(args: readonly string[], environment: NodeJS.ProcessEnv, { out, err, signal }: Terminal): Promise<number> {
  const words = args[0] === 'help' ? args.slice(1) : args;
  const wantsHelp = args.length === 0 || args[0] === 'help' || args.includes('--help');
  const operation = find(words);
  if (operation === undefined || wantsHelp) {
    const { text, problem } = help(
      words.filter((word) => word !== '--help'),
      operation,
    );
    (wantsHelp ? out : err).write(`${wantsHelp ? '' : problem}${text}\n`);
    return wantsHelp ? 0 : 2;
  }
  const print = async (line: string): Promise<void> => {
    if (!out.write(`${line}\n`)) await once(out, 'drain', { signal });
  };
  const log = (line: string): void => void err.write(`${line}\n`);
  try {
    const { values, positionals } = parseArgs({
      args: args.slice(nameParts(operation).length),
      options: operation.options,
      allowPositionals: operation.takesNames === true,
      strict: true,
    });
    const config = readConfig(environment);
    const security = new SecurityLog({ config, clock: systemClock, write: (line) => out.write(`${line}\n`), actor: OPERATOR });
    return await operation.run({ config, values: values as OperationContext['values'], rest: positionals, print, log, security, signal });
  } catch (error) {
    if (signal.aborted && isAbort(error, signal)) return endAborted(signal, log);
    const problem = problemOf(error) ?? (isParseError(error) ? `${error.message}\n${usageOf(operation)}` : null);
    if (problem === null) throw error;
    log(problem);
    return isSystemError(error) ? 1 : 2;
  }
}
