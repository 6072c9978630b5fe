import { backup } from './backup.operation.js';
import type { Operation } from './operation.js';
import { restore } from './restore.operation.js';
import { usersErase } from './users-erase.operation.js';

/** Every operation, in the order in which they are told. */
export const OPERATIONS: readonly Operation[] = [backup, restore, usersErase];
