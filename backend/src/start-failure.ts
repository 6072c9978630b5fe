import { dirname } from 'node:path';
import { isSystemError, type SystemError } from './expected-errors.js';
import type { Config } from './platform/config/config.js';
import { erasuresFileOf } from './platform/personal-data/erasure-list.js';
import { StoreDamaged } from './platform/store-errors.js';

type Where = Pick<Config, 'DATA_DIR' | 'ERASURES_FILE' | 'HOST' | 'METRICS_PORT'>;

/** Explanations of errors of listen(). */
const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine does not have the address',
};

/** By default the list is beside DATA_DIR, where a service may have no right to write. */
const ABOUT_THE_LIST = 'It lists erased users and must outlive the data and its backups: set ERASURES_FILE to a file that this user may write, outside of both';

/** Why the program could not start, in one sentence that names the variable to check if one is known. */
export function startFailure(error: unknown, config: Where): string {
  const reason =
    error instanceof StoreDamaged ? `${error.message}. Nothing was changed; "npm run -s operate -- events verify" shows the details.` : reasonOf(error, config);
  return `Roughmix could not start: ${reason}`;
}

function reasonOf(error: unknown, config: Where): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : String(error);
  if (error.syscall === 'listen') return listenFailure(error, config);
  if (error.syscall === 'getaddrinfo') return `HOST: ${config.HOST} is not a name of this machine (${error.code})`;
  const variable = error.path === undefined ? null : variableOf(error.path, config);
  if (variable === null) return error.message;
  const unusable = `${variable}: ${error.path} cannot be used (${error.code})`;
  return variable === 'ERASURES_FILE' ? `${unusable}. ${ABOUT_THE_LIST}` : unusable;
}

function listenFailure({ code, port }: SystemError, { HOST, METRICS_PORT }: Where): string {
  const variable = code === 'EADDRNOTAVAIL' ? 'HOST' : port === METRICS_PORT ? 'METRICS_PORT' : 'PORT';
  return `${variable}: cannot listen on ${HOST}:${port}, ${LISTEN_ERRORS[code] ?? 'the system refused'} (${code})`;
}

/** The variable that configures a path: the erasure list, which may be outside the data folder, or the data folder. */
function variableOf(path: string, { DATA_DIR, ERASURES_FILE }: Where): string | null {
  const list = erasuresFileOf({ DATA_DIR, ERASURES_FILE });
  if (path === list || (ERASURES_FILE !== null && path === dirname(list))) return 'ERASURES_FILE';
  return path === DATA_DIR || path.startsWith(`${DATA_DIR}/`) || path === dirname(DATA_DIR) ? 'DATA_DIR' : null;
}
