import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { Vault } from '../platform/vault/vault.js';

const COLLECTION = 'demo';
const ID = 'demo';

/** The progress of the demo: a start that finds `making` completes an interrupted one. */
export type DemoMarker = {
  readonly state: 'making' | 'made';
  /** The reference time of every `ago` in the stories; stored, so that a completed demo has consistent times. */
  readonly startedAt: Instant;
};

/** Null if no demo was ever started. */
export async function readDemoMarker(vault: Vault): Promise<DemoMarker | null> {
  await vault.declare({ name: COLLECTION });
  return (await vault.get<DemoMarker>(COLLECTION, ID))?.body ?? null;
}

export const writeDemoMarker = (vault: Vault, marker: DemoMarker): Promise<void> => vault.put(COLLECTION, ID, marker);
