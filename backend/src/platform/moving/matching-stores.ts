import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasMasterKey } from '../auth/vault-keys.js';
import type { Config } from '../config/config.js';
import type { EventStore } from '../event-store/event-store.js';
import { peekRecord } from '../vault/peek-record.js';
import type { Vault } from '../vault/vault.js';

/** The record of which log a vault belongs to. Restoring, settling and moving do not copy it; the next start writes it again. */
const LOG_OF_VAULT = { name: 'log-of-vault', id: 'log' } as const;

/** The log and the vault belong to different installations. Nothing was changed. */
export class StoresMismatch extends Error {
  override readonly name = 'StoresMismatch';
}

interface OpenedStores {
  readonly eventStore: Pick<EventStore, 'identity' | 'readAll'>;
  readonly vault: Vault;
  readonly config: Readonly<Pick<Config, 'EVENTSTORE_URL' | 'MONGO_URL' | 'DATA_DIR'>>;
}

/**
 * A vault belongs to the first log that it is opened with. With another log, this program would drop the served read models and reset every reactor; with an
 * empty vault, it would write to a log that it cannot decrypt.
 * @throws StoresMismatch, ServiceUnavailable
 */
export async function requireMatchingStores({ eventStore, vault, config }: OpenedStores): Promise<void> {
  const { name, id } = LOG_OF_VAULT;
  const { identity } = eventStore;
  await vault.declare({ name: LOG_OF_VAULT.name });
  if ((await vault.get(name, id)) === null) {
    // Events first, then the key: another process that is just starting writes the key before its first event.
    const hasEvents = (await eventStore.readAll({ after: 0, limit: 1 })).length > 0;
    if (hasEvents && !(await hasMasterKey(vault)))
      throw new StoresMismatch(`${whereOf(config)}: the vault is empty, but the log ${identity} is not; ${WHAT_TO_DO}`);
    await vault.insert(name, id, { identity });
  }
  const known = await vault.get<{ readonly identity: string }>(name, id);
  if (known === null || known.body.identity === identity) return;
  throw new StoresMismatch(`${whereOf(config)}: the vault belongs to the log ${known.body.identity}, but this is the log ${identity}; ${WHAT_TO_DO}`);
}

/** Refuses a vault whose log is gone, before an empty log is created beside it. @throws StoresMismatch */
export async function refuseMissingLog(config: OpenedStores['config']): Promise<void> {
  const { DATA_DIR, EVENTSTORE_URL, MONGO_URL } = config;
  if (EVENTSTORE_URL !== null || MONGO_URL !== null || existsSync(join(DATA_DIR, 'log.db'))) return;
  const known = await peekRecord<{ readonly identity: string }>(join(DATA_DIR, 'vault.db'), LOG_OF_VAULT.name, LOG_OF_VAULT.id);
  if (known === null) return;
  throw new StoresMismatch(`${whereOf(config)}: the vault belongs to the log ${known.identity}, but log.db is missing; ${WHAT_TO_DO}`);
}

const WHAT_TO_DO = 'nothing was changed. Check for a missing or wrong variable. Copies are restored with operate -- restore, on servers with operate -- settle';

/** The variables that locate log and vault. */
function whereOf({ EVENTSTORE_URL, MONGO_URL, DATA_DIR }: OpenedStores['config']): string {
  const log = EVENTSTORE_URL === null ? `DATA_DIR (${DATA_DIR})` : 'EVENTSTORE_URL';
  const vault = MONGO_URL === null ? `DATA_DIR (${DATA_DIR})` : 'MONGO_URL';
  return [...new Set([log, vault])].join(', ');
}
