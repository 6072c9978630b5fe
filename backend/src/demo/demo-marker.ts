import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { Vault } from '../platform/vault/vault.js';

const COLLECTION = 'demo';
const ID = 'demo';

/** How far the demo is: a start that finds `making` completes what an earlier one began. */
export type DemoMarker = {
  readonly state: 'making' | 'made';
  /** What every 'ago' of the stories counts from; kept, so that a completed demo tells one story. */
  readonly startedAt: Instant;
};

/** Null where no demo was ever begun. */
export async function readDemoMarker(vault: Vault): Promise<DemoMarker | null> {
  await vault.declare({ name: COLLECTION });
  return (await vault.get<DemoMarker>(COLLECTION, ID))?.body ?? null;
}

export const writeDemoMarker = (vault: Vault, marker: DemoMarker): Promise<void> => vault.put(COLLECTION, ID, marker);
