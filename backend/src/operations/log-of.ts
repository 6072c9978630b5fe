import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../platform/config/config.js';
import { OperationError } from './operation.js';

/** Whether what an installation keeps lies on servers; then DATA_DIR holds nothing that an operation could open. */
export const isOnServers = ({ EVENTSTORE_URL, MONGO_URL }: Pick<Config, 'EVENTSTORE_URL' | 'MONGO_URL'>): boolean =>
  EVENTSTORE_URL !== null || MONGO_URL !== null;

/** @throws OperationError where log or vault lie on servers, which have tools of their own for this */
export function onlyEmbedded(operation: string, config: Config): void {
  if (!isOnServers(config)) return;
  throw new OperationError(
    `${operation}: is for the embedded default; EventStoreDB, MongoDB and the bucket have their own tools (docs/operating.md, "Real servers")`,
  );
}

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
