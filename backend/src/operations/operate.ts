import { once } from 'node:events';
import { parseArgs, types } from 'node:util';
import { ConfigError, readConfig } from '../platform/config/config.js';
import { type Asked, type Operation, OperationError } from './operation.js';
import { OPERATIONS } from './operations.js';

/** Where an operation's lines go. */
export interface Terminal {
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

const wordsOf = (operation: Operation): readonly string[] => operation.name.split(' ');

/** The operation whose words the arguments begin with; the longest name wins. */
function find(args: readonly string[]): Operation | undefined {
  const called = OPERATIONS.filter((operation) => wordsOf(operation).every((word, at) => args[at] === word));
  return called.toSorted((a, b) => wordsOf(b).length - wordsOf(a).length)[0];
}

/** All operations, or those of one room (events, reactors) when only its word was said. */
function usage([room]: readonly string[]): string {
  const inRoom = OPERATIONS.filter((operation) => wordsOf(operation)[0] === room);
  const lines = (inRoom.length > 0 ? inRoom : OPERATIONS).map(({ name, usage: rest, about }) => `  ${`${name} ${rest}`.trim()}\n      ${about}`);
  return ['usage: npm run -s operate -- <operation>', '', ...lines].join('\n');
}

/** Of the file system or the network: its message names the path and what is wrong with it. */
const isSystemError = (error: unknown): error is Error => types.isNativeError(error) && 'syscall' in error;

const usageOf = ({ name, usage: rest }: Operation): string => `usage: npm run -s operate -- ${`${name} ${rest}`.trim()}`;

function problemOf(error: unknown): string | null {
  if (error instanceof OperationError || error instanceof ConfigError || isSystemError(error)) return error.message;
  return null;
}

const isMisspelt = (error: unknown): error is Error => types.isNativeError(error) && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

/** What is told of an operation, or of those that may have been meant; `nonsense` comes before it. */
function help(args: readonly string[], operation: Operation | undefined): { readonly text: string; readonly nonsense: string } {
  if (operation !== undefined) return { text: `${usageOf(operation)}\n${operation.about}`, nonsense: '' };
  return { text: usage(args), nonsense: args.length === 0 ? '' : `there is no operation ${JSON.stringify(args.join(' '))}\n` };
}

/**
 * Runs the operation that the arguments name, with the environment of the program.
 * @returns the exit code: the operation's own, 2 when it was asked for in a wrong way
 */
export async function operate(args: readonly string[], environment: NodeJS.ProcessEnv, { out, err, signal }: Terminal): Promise<number> {
  const words = args[0] === 'help' ? args.slice(1) : args;
  const wantsHelp = args.length === 0 || args[0] === 'help' || args.includes('--help');
  const operation = find(words);
  if (operation === undefined || wantsHelp) {
    const { text, nonsense } = help(
      words.filter((word) => word !== '--help'),
      operation,
    );
    (wantsHelp ? out : err).write(`${wantsHelp ? '' : nonsense}${text}\n`);
    return wantsHelp ? 0 : 2;
  }
  const say = async (line: string): Promise<void> => {
    if (!out.write(`${line}\n`)) await once(out, 'drain', { signal });
  };
  const tell = (line: string): void => void err.write(`${line}\n`);
  try {
    const { values, positionals } = parseArgs({
      args: args.slice(wordsOf(operation).length),
      options: operation.options,
      allowPositionals: operation.takesNames === true,
      strict: true,
    });
    return await operation.run({ config: readConfig(environment), values: values as Asked['values'], rest: positionals, say, tell, signal });
  } catch (error) {
    const problem = problemOf(error) ?? (isMisspelt(error) ? `${error.message}\n${usageOf(operation)}` : null);
    if (problem === null) throw error;
    tell(problem);
    return isSystemError(error) ? 1 : 2;
  }
}
