import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import type { Vault } from '../vault/vault.js';
import type { Lease } from './lease.js';
import { PermanentLease } from './permanent-lease.js';
import { VaultLease } from './vault-lease.js';
import type { Logger } from '../logger.js';

/** What one process at a time does. */
export interface Leases {
  readonly projector: Lease;
  readonly reactor: Lease;
}

/** Whether several processes may work on the same data: an embedded log or vault is opened by one program alone. */
const isShared = ({ EVENTSTORE_URL, MONGO_URL }: Config): boolean => EVENTSTORE_URL !== null && MONGO_URL !== null;

/** The leases of a program: real ones where there can be rivals. @throws StoreAway */
export async function openLeases(config: Config, parts: { readonly vault: Vault; readonly log: Logger; readonly clock: Clock }): Promise<Leases> {
  if (!isShared(config)) return { projector: new PermanentLease('projector'), reactor: new PermanentLease('reactor') };
  return { projector: await VaultLease.open('projector', parts), reactor: await VaultLease.open('reactor', parts) };
}
