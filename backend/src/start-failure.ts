import { dirname } from 'node:path';
import { types } from 'node:util';
import type { Config } from './platform/config/config.js';
import { erasuresFileOf } from './platform/personal-data/erasure-list.js';
import { StoreDamaged } from './platform/store-errors.js';

type Where = Pick<Config, 'DATA_DIR' | 'ERASURES_FILE' | 'HOST' | 'METRICS_PORT'>;

/** What a refusal to listen means; other codes are told as they are. */
const NOT_LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'no such address on this machine',
};

/** A system call that failed, as Node tells it. */
interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
  readonly port?: number;
}

const isSystemError = (error: unknown): error is SystemError => types.isNativeError(error) && 'syscall' in error && 'code' in error;

/** Why the program does not stand, in a sentence that names the variable to look at where one is known. Of damage everything that helps is in it. */
export function startFailure(error: unknown, config: Where): string {
  const told =
    error instanceof StoreDamaged ? `${error.message}. Nothing was changed; "npm run -s operate -- events verify" tells more.` : sentenceOf(error, config);
  return `Roughmix could not start: ${told}`;
}

function sentenceOf(error: unknown, config: Where): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : String(error);
  if (error.syscall === 'listen') return notListening(error, config);
  if (error.syscall === 'getaddrinfo') return `HOST: ${config.HOST} is no name of this machine (${error.code})`;
  const variable = error.path === undefined ? null : variableOf(error.path, config);
  return variable === null ? error.message : `${variable}: ${error.path} cannot be used (${error.code})`;
}

function notListening({ code, port }: SystemError, { HOST, METRICS_PORT }: Where): string {
  const variable = code === 'EADDRNOTAVAIL' ? 'HOST' : port === METRICS_PORT ? 'METRICS_PORT' : 'PORT';
  return `${variable}: ${HOST}:${port} cannot be listened on, ${NOT_LISTENING[code] ?? 'the system says why'} (${code})`;
}

/** The variable that named a path: that of the list of erasures, which may lie beside the data, else the folder of the data. */
function variableOf(path: string, { DATA_DIR, ERASURES_FILE }: Where): string | null {
  const list = erasuresFileOf({ DATA_DIR, ERASURES_FILE });
  if (path === list || (ERASURES_FILE !== null && path === dirname(list))) return 'ERASURES_FILE';
  return path === DATA_DIR || path.startsWith(`${DATA_DIR}/`) || path === dirname(DATA_DIR) ? 'DATA_DIR' : null;
}
