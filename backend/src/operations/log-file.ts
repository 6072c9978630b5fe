import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../platform/config/config.js';
import { OperationError } from './operation.js';

/** Whether log or vault are on servers; then DATA_DIR holds no data that an operation could open. */
export const isOnServers = ({ EVENTSTORE_URL, MONGO_URL }: Pick<Config, 'EVENTSTORE_URL' | 'MONGO_URL'>): boolean =>
  EVENTSTORE_URL !== null || MONGO_URL !== null;

/** @throws OperationError if log or vault are on servers, which have their own tools for this */
export function requireEmbedded(operation: string, config: Config): void {
  if (!isOnServers(config)) return;
  throw new OperationError(
    `${operation}: only for embedded stores; EventStoreDB, MongoDB and the bucket have their own tools (docs/operating.md, "Real servers")`,
  );
}

/** The log file of a data folder. */
export const logFileOf = (config: Config): string => join(config.DATA_DIR, 'log.db');

/** The existing log file of a data folder; a mistyped folder must not be created. @throws OperationError if there is none */
export function existingLog(config: Config): string {
  const file = logFileOf(config);
  if (!existsSync(file)) throw new OperationError(`no log in ${config.DATA_DIR}: set DATA_DIR to the data folder`);
  return file;
}

/** Parses an option that is a position: a whole number from 0 on. @throws OperationError */
export function positionOf(name: string, value: string | boolean | undefined): number | null {
  if (value === undefined) return null;
  const position = Number(value);
  if (typeof value !== 'string' || !/^\d+$/.test(value) || !Number.isSafeInteger(position))
    throw new OperationError(`--${name}: a position is a whole number from 0 on`);
  return position;
}
