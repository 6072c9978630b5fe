import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../platform/config.js';
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

function usage(): string {
  const lines = OPERATIONS.map(({ name, usage: rest, about }) => `  ${`${name} ${rest}`.trim()}\n      ${about}`);
  return ['usage: npm run -s operate -- <operation>', '', ...lines].join('\n');
}

function problemOf(error: unknown): string | null {
  if (error instanceof OperationError || error instanceof ConfigError) return error.message;
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) return error.message;
  return null;
}

/**
 * Runs the operation that the arguments name, with the environment of the program.
 * @returns the exit code: the operation's own, 2 when it was asked for in a wrong way
 */
export async function operate(args: readonly string[], environment: NodeJS.ProcessEnv, { out, err, signal }: Terminal): Promise<number> {
  const operation = find(args);
  const wantsHelp = args.length === 0 || args.includes('--help');
  if (operation === undefined || wantsHelp) {
    (wantsHelp ? out : err).write(`${operation === undefined ? usage() : `usage: ${operation.name} ${operation.usage}\n${operation.about}`}\n`);
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
      allowPositionals: true,
      strict: true,
    });
    return await operation.run({ config: readConfig(environment), values: values as Asked['values'], rest: positionals, say, tell, signal });
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    tell(problem);
    return 2;
  }
}
