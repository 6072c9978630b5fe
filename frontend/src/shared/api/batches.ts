import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';

/** Lists of as many ids as one call takes. */
export const batchesOf = (ids: readonly Id[]): readonly Id[][] =>
  Array.from({ length: Math.ceil(ids.length / LIMITS.idsInOneCall) }, (_, at) => ids.slice(at * LIMITS.idsInOneCall, (at + 1) * LIMITS.idsInOneCall));
