import { constants } from 'node:os';
import type { Logger } from 'pino';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
type Signal = (typeof SIGNALS)[number];

/** npm and the terminal both pass Ctrl-C on: a signal that comes so soon after the first is the same wish. */
const SAME_WISH_MS = 1_000;

/** How a shell tells that a signal ended a program. */
const exitCodeOf = (signal: Signal): number => 128 + constants.signals[signal];

/**
 * Ends the process on SIGTERM and SIGINT: `stop` is called once, then the exit code is 0; 1 when it fails or is not done after `limitMs`. A second signal
 * ends at once.
 */
export function endOnSignals(stop: () => Promise<void>, { log, limitMs }: { readonly log: Logger; readonly limitMs: number }): void {
  let since: number | null = null;
  const onSignal = (signal: Signal): void => {
    const now = performance.now();
    if (since !== null) {
      if (now - since > SAME_WISH_MS) process.exit(exitCodeOf(signal));
      return;
    }
    since = now;
    log.info({ signal }, 'closing');
    setTimeout(() => fail(log, `not closed within ${limitMs} ms`), limitMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail(log, 'closing failed', error),
    );
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

/** An error that nobody handled leaves a program that nobody knows: it is told and the process ends. What was acknowledged is on disk. */
export function endOnErrors(log: Logger): void {
  process.on('uncaughtException', (error, origin) => fail(log, `ended by an ${origin}`, error));
}

/** Says what went wrong and ends the process with 1. */
export function fail(log: Logger, message: string, error?: unknown): never {
  log.fatal(error === undefined ? {} : { err: error }, message);
  process.exit(1);
}
