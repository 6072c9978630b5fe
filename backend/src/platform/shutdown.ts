import { constants } from 'node:os';
import type { Logger } from 'pino';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
type Signal = (typeof SIGNALS)[number];

/** npm and the terminal both forward Ctrl-C: a second signal within this time counts as the same one. */
const SAME_SIGNAL_MS = 1_000;

/** The exit code of a process ended by a signal, as shells report it. */
const exitCodeOf = (signal: Signal): number => 128 + constants.signals[signal];

/**
 * Shuts the process down on SIGTERM and SIGINT. `stop` is called once; the exit code is 0, or 1 if it fails or takes longer than `limitMs`. A second signal
 * exits immediately.
 */
export function shutDownOnSignals(stop: () => Promise<void>, { log, limitMs }: { readonly log: Logger; readonly limitMs: number }): void {
  let since: number | null = null;
  const onSignal = (signal: Signal): void => {
    const now = performance.now();
    if (since !== null) {
      if (now - since > SAME_SIGNAL_MS) process.exit(exitCodeOf(signal));
      return;
    }
    since = now;
    log.info({ signal }, 'shutting down');
    setTimeout(() => fail(log, `shutdown took longer than ${limitMs} ms`), limitMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail(log, 'shutdown failed', error),
    );
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

/** After an uncaught exception the state is undefined: log it and exit with 1. Everything acknowledged is on disk. */
export function exitOnUncaughtErrors(log: Logger): void {
  process.on('uncaughtException', (error, origin) => fail(log, `exiting after an ${origin}`, error));
}

/** Logs the error with its stack and exits with 1. */
export function fail(log: Logger, message: string, error?: unknown): never {
  log.fatal(error === undefined ? {} : { err: error }, message);
  process.exit(1);
}
