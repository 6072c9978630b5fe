/** Timeout for saving on a busy machine, in milliseconds, so that no request is refused in the meantime. */
export const SLOW_MACHINE_MS = 20_000;
