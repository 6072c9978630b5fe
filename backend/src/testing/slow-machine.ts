/** How long a busy machine may take to save what was written, in milliseconds: nothing is refused meanwhile. */
export const SLOW_MACHINE_MS = 20_000;
