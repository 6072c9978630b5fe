import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../platform/config/config.js';
import { ifFree } from '../platform/event-store/log-copy.js';
import { isOnServers } from './log-file.js';
import { OperationError } from './operation.js';

/** A running server's response; `body` is its JSON, null if empty. */
export interface ServerAnswer {
  readonly status: number;
  readonly body: unknown;
}

const DEADLINE_MS = 10 * 60_000;
const HOSTS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** Whether a program has the data folder open now; with shared servers one is assumed to be running. */
export function isServed(config: Pick<Config, 'DATA_DIR' | 'EVENTSTORE_URL' | 'MONGO_URL'>): boolean {
  if (isOnServers(config)) return true;
  const log = join(config.DATA_DIR, 'log.db');
  return existsSync(`${log}.lock`) && !ifFree(log, () => undefined);
}

/**
 * Calls the server that has this data folder open, with the admin key from that folder or the environment. `path` follows `/api/admin/{key}`.
 * Null if no program has the folder open: then the operation may open it itself.
 * @throws OperationError if the program does not respond at HOST and PORT or rejects the key
 */
export async function askRunningServer(
  config: Config,
  { method = 'POST', path, body }: { method?: string; path: string; body?: object },
): Promise<ServerAnswer | null> {
  if (!isServed(config)) return null;
  const at = `http://${HOSTS[config.HOST] ?? config.HOST}:${config.PORT}`;
  const address = new URL(`/api/admin/${encodeURIComponent(await adminKeyOf(config))}${path}`, at);
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await fetch(address, { method, ...sent, signal: AbortSignal.timeout(DEADLINE_MS) }).catch((error: unknown) => {
    const why = isOnServers(config) ? 'this needs a process with the role web' : `a program has ${config.DATA_DIR} open`;
    throw new OperationError(`${why}, but nothing responds at ${at}: set its HOST and PORT (${reasonOf(error)})`);
  });
  if (answer.status === 401) throw new OperationError(`the program at ${at} rejects this admin key`);
  const text = await answer.text();
  const parsed = text === '' ? null : (JSON.parse(text) as unknown);
  if (answer.status === 404 && !isProblem(parsed)) throw new OperationError(`the process at ${at} has no API: set HOST and PORT of one with the role web`);
  return { status: answer.status, body: parsed };
}

/** Whether the API returned it; processes without the API respond differently. */
const isProblem = (body: unknown): boolean => typeof body === 'object' && body !== null && 'code' in body;

async function adminKeyOf({ ADMIN_KEY, DATA_DIR }: Config): Promise<string> {
  if (ADMIN_KEY !== null) return ADMIN_KEY;
  const path = join(DATA_DIR, 'admin.key');
  if (!existsSync(path)) throw new OperationError(`a program has ${DATA_DIR} open; set ADMIN_KEY to call it`);
  return (await readFile(path, 'utf8')).trim();
}

/** The reason without the URL, which contains the admin key. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  if (!(cause instanceof Error)) return 'no answer';
  // fetch refuses some ports whether or not a server listens there.
  if (cause.message === 'bad port') return 'fetch and browsers refuse to open this port: use another';
  return 'code' in cause ? String(cause.code) : 'no answer';
}
