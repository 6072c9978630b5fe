import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../platform/config/config.js';
import { OperationError } from './operation.js';

/** The log file of a data folder. */
export const logOf = (config: Config): string => join(config.DATA_DIR, 'log.db');

/** The log file of a data folder that holds one: an operation makes no new folder where an operator mistyped its name. @throws OperationError */
export function existingLog(config: Config): string {
  const file = logOf(config);
  if (!existsSync(file)) throw new OperationError(`there is no log in ${config.DATA_DIR}: name the data folder by DATA_DIR`);
  return file;
}

/** The value of an option that is a position: a whole number from 0 on. @throws OperationError */
export function positionOf(name: string, value: string | boolean | undefined): number | null {
  if (value === undefined) return null;
  const position = Number(value);
  if (typeof value !== 'string' || !/^\d+$/.test(value) || !Number.isSafeInteger(position))
    throw new OperationError(`--${name}: a position is a whole number from 0 on`);
  return position;
}
