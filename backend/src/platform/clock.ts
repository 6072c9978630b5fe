import type { Instant } from '@roughmix/contracts/shared/ids.js';

/** The server's clock: the only source of instants. Milliseconds since 1970. */
export type Clock = () => Instant;

export const systemClock: Clock = () => Date.now();
