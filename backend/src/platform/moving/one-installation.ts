import { hasMasterKey } from '../auth/vault-keys.js';
import type { Config } from '../config/config.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Vault } from '../vault/vault.js';

/** Which log a vault belongs to. Restoring, settling and moving leave it out: what is started next belongs together. */
const LOG_OF_VAULT = { name: 'log-of-vault', id: 'log' } as const;

/** Log and vault are of two installations; nothing was changed. */
export class NotOneInstallation extends Error {
  override readonly name = 'NotOneInstallation';
}

/** What is looked at. */
export interface Kept {
  readonly eventStore: Pick<EventStore, 'identity' | 'readAll'>;
  readonly vault: Vault;
  readonly config: Readonly<Pick<Config, 'EVENTSTORE_URL' | 'MONGO_URL' | 'DATA_DIR'>>;
}

/**
 * A vault belongs to the first log that it is opened with. With another one this program would drop read models that are served, and send every reactor back to
 * its beginning; with an empty vault it would write into a log of which it can read nothing.
 * @throws NotOneInstallation, StoreAway
 */
export async function refuseStrangers({ eventStore, vault, config }: Kept): Promise<void> {
  const { name, id } = LOG_OF_VAULT;
  const { identity } = eventStore;
  await vault.declare({ name: LOG_OF_VAULT.name });
  if ((await vault.get(name, id)) === null) {
    // In this order: another process that starts now writes its first event after the key.
    const isWritten = (await eventStore.readAll({ after: 0, limit: 1 })).length > 0;
    if (isWritten && !(await hasMasterKey(vault)))
      throw new NotOneInstallation(`${whereOf(config)}: the vault is empty, and the log ${identity} is not; ${WHAT_TO_DO}`);
    await vault.insert(name, id, { identity });
  }
  const known = await vault.get<{ readonly identity: string }>(name, id);
  if (known === null || known.body.identity === identity) return;
  throw new NotOneInstallation(`${whereOf(config)}: the vault belongs to the log ${known.body.identity}, and this is the log ${identity}; ${WHAT_TO_DO}`);
}

const WHAT_TO_DO =
  'nothing was changed. Is a variable missing, or does one name another place? What was put back from copies is brought in order by operate -- restore, on servers operate -- settle';

/** The variables that say where log and vault are. */
function whereOf({ EVENTSTORE_URL, MONGO_URL, DATA_DIR }: Kept['config']): string {
  const log = EVENTSTORE_URL === null ? `DATA_DIR (${DATA_DIR})` : 'EVENTSTORE_URL';
  const vault = MONGO_URL === null ? `DATA_DIR (${DATA_DIR})` : 'MONGO_URL';
  return [...new Set([log, vault])].join(', ');
}
