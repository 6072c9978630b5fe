import { randomBytes } from 'node:crypto';
import { Throttle } from '../platform/auth/throttle.js';
import { VaultKeys } from '../platform/auth/vault-keys.js';
import type { Clock } from '../platform/clock.js';
import { readConfig } from '../platform/config/config.js';
import type { Vault } from '../platform/vault/vault.js';

/** Throttles with the default limits, under keys of their own. */
export async function throttleOf(vault: Vault, clock: Clock): Promise<Throttle> {
  const throttle = new Throttle(vault, clock, readConfig({}), await VaultKeys.open(vault, randomBytes(32)));
  await throttle.declare();
  return throttle;
}
