import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../platform/config/config.js';
import { ifFree } from '../platform/event-store/log-copy.js';
import { isOnServers } from './log-of.js';
import { OperationError } from './operation.js';

/** What a running server answered; `body` is its JSON, null for none. */
export interface ServerAnswer {
  readonly status: number;
  readonly body: unknown;
}

const DEADLINE_MS = 10 * 60_000;
const HOSTS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** Whether a program has the data folder open at this moment; where several programs share servers one is taken to be up. */
export function isServed(config: Pick<Config, 'DATA_DIR' | 'EVENTSTORE_URL' | 'MONGO_URL'>): boolean {
  if (isOnServers(config)) return true;
  const log = join(config.DATA_DIR, 'log.db');
  return existsSync(`${log}.lock`) && !ifFree(log, () => undefined);
}

/**
 * Calls the server that has this data folder open, by the admin key that lies there or in the environment. `path` is what follows `/api/admin/{key}`.
 * Null when no program has the folder open: then the operation may open it itself.
 * @throws OperationError when one has, and does not answer at HOST and PORT or does not take the key
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
    const why = isOnServers(config) ? 'this is asked of a process with the role web' : `a program has ${config.DATA_DIR} open`;
    throw new OperationError(`${why}, but nobody answers at ${at}: name its HOST and PORT (${reasonOf(error)})`);
  });
  if (answer.status === 401) throw new OperationError(`the program at ${at} does not take this admin key`);
  const text = await answer.text();
  const told = text === '' ? null : (JSON.parse(text) as unknown);
  if (answer.status === 404 && !isProblem(told)) throw new OperationError(`the process at ${at} has no API: name HOST and PORT of one with the role web`);
  return { status: answer.status, body: told };
}

/** Whether the API says it; what processes without one say of themselves is none. */
const isProblem = (body: unknown): boolean => typeof body === 'object' && body !== null && 'code' in body;

async function adminKeyOf({ ADMIN_KEY, DATA_DIR }: Config): Promise<string> {
  if (ADMIN_KEY !== null) return ADMIN_KEY;
  const path = join(DATA_DIR, 'admin.key');
  if (!existsSync(path)) throw new OperationError(`a program has ${DATA_DIR} open; to ask it, ADMIN_KEY is needed`);
  return (await readFile(path, 'utf8')).trim();
}

/** Without the address: the admin key is part of it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  if (!(cause instanceof Error)) return 'no answer';
  // What fetch and browsers do not open, whoever listens there.
  if (cause.message === 'bad port') return 'a port that browsers refuse to open, and so does this: take another';
  return 'code' in cause ? String(cause.code) : 'no answer';
}
