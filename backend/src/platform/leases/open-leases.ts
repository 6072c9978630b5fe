import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import type { Vault } from '../vault/vault.js';
import type { Lease } from './lease.js';
import { PermanentLease } from './permanent-lease.js';
import { VaultLease } from './vault-lease.js';
import type { Logger } from '../logger.js';

/** The leases of an installation. */
export interface Leases {
  readonly projector: Lease;
  readonly reactor: Lease;
}

/** Whether several processes can share the data: only one program can open an embedded log or vault. */
const isShared = ({ EVENTSTORE_URL, MONGO_URL }: Config): boolean => EVENTSTORE_URL !== null && MONGO_URL !== null;

/** Opens leases in the vault if processes can compete for them. @throws ServiceUnavailable */
export async function openLeases(config: Config, options: { readonly vault: Vault; readonly log: Logger; readonly clock: Clock }): Promise<Leases> {
  if (!isShared(config)) return { projector: new PermanentLease('projector'), reactor: new PermanentLease('reactor') };
  return { projector: await VaultLease.open('projector', options), reactor: await VaultLease.open('reactor', options) };
}
