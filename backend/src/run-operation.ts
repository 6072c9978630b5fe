import { isExpectedError } from './expected-errors.js';
import { operate } from './operations/operate.js';
import { READER_GONE } from './operations/operation.js';

/** Runs the operation that the command line names, and sets the exit code. */
export async function runOperation(): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  // A reader that has seen enough (head, less) ends the operation.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? stopping.abort(READER_GONE) : process.exit(1)));
  try {
    process.exitCode = await operate(process.argv.slice(2), process.env, { out: process.stdout, err: process.stderr, signal: stopping.signal });
  } catch (error) {
    const text = error instanceof Error ? (isExpectedError(error) ? error.message : error.stack) : String(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  }
}
