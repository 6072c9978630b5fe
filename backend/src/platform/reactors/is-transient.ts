import { Refused } from '../../kernel/refusal.js';
import { DiskFull, ServiceUnavailable } from '../store-errors.js';

/** Whether an error passes by itself: a store is unavailable or full, read models are not served, a stream is contended. Retried for ever, never parked. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ServiceUnavailable ||
  error instanceof DiskFull ||
  (error instanceof Refused && (error.code === 'store.away' || error.code === 'store.busy'));
