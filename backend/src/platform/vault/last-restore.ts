import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { Vault } from './vault.js';

/** The vault collection and id of the last restore. */
export const RESTORES = { name: 'restores', id: 'last' } as const;

/** When this vault was last restored from a backup; 0 when it never was. */
export async function lastRestore(vault: Vault): Promise<Instant> {
  await vault.declare({ name: RESTORES.name });
  return (await vault.get<{ at: Instant }>(RESTORES.name, RESTORES.id))?.body.at ?? 0;
}
