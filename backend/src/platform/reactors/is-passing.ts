import { Refused } from '../../kernel/refusal.js';
import { DiskFull, StoreAway } from '../store-errors.js';

/** A store that is away, or full, read models that nobody builds, or a stream that others write are no fault of an event's: it waits. */
export const isPassing = (error: unknown): boolean =>
  error instanceof StoreAway || error instanceof DiskFull || (error instanceof Refused && (error.code === 'store.away' || error.code === 'store.busy'));
