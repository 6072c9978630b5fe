import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import type { Vault } from '../vault/vault.js';
import type { Lease } from './lease.js';
import { PermanentLease } from './permanent-lease.js';
import { ABANDONED_TIMES, LEASE_TIMES, STAND_IN_TIMES, VaultLease } from './vault-lease.js';
import type { Logger } from '../logger.js';

/** The leases of an installation. */
export interface Leases {
  readonly projector: Lease;
  readonly reactor: Lease;
  /** A lease by its name, acquired only once no process has held it for a minute. */
  abandoned(name: string): Promise<Lease>;
}

interface LeaseOptions {
  readonly vault: Vault;
  readonly log: Logger;
  readonly clock: Clock;
  /** The name of the lease to build read models. */
  readonly projectorName: string;
  /** Whether this process has the role projector. If not, it leaves the lease to those that have. */
  readonly builds: boolean;
}

/** Whether several processes can share the data: only one program can open an embedded log or vault. */
export const isShared = ({ EVENTSTORE_URL, MONGO_URL }: Config): boolean => EVENTSTORE_URL !== null && MONGO_URL !== null;

/** Opens leases in the vault if processes can compete for them. @throws ServiceUnavailable */
export async function openLeases(config: Config, { projectorName, builds, ...options }: LeaseOptions): Promise<Leases> {
  const abandoned = (name: string): Promise<Lease> => VaultLease.open(name, { ...options, times: ABANDONED_TIMES });
  if (!isShared(config)) return { projector: new PermanentLease(projectorName), reactor: new PermanentLease('reactor'), abandoned };
  return {
    projector: await VaultLease.open(projectorName, { ...options, times: builds ? LEASE_TIMES : STAND_IN_TIMES }),
    reactor: await VaultLease.open('reactor', options),
    abandoned,
  };
}
