import type { Operation } from './operation.js';

/** Every operation, in the order in which they are told. */
export const OPERATIONS: readonly Operation[] = [];
