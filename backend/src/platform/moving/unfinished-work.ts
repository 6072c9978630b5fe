import { StoreAway } from '../store-errors.js';
import type { Vault } from '../vault/vault.js';

/** Where a move notes, in the vault that it fills, where it came from and how far it is. */
export const MOVES = { name: 'moves', id: 'embedded' } as const;
/** Where a settling notes what it is about; gone when it is done. */
export const SETTLINGS = { name: 'settlings', id: 'settling' } as const;

/** Half of a move or of a settling is not taken for the whole. @throws StoreAway when one was cut off */
export async function refuseUnfinishedWork(vault: Vault): Promise<void> {
  await vault.declare({ name: MOVES.name });
  await vault.declare({ name: SETTLINGS.name });
  const move = await vault.get<{ readonly state: string }>(MOVES.name, MOVES.id);
  if (move?.body.state === 'begun') throw new StoreAway('a move to these servers is not done: run it again (operate -- move)');
  if ((await vault.get(SETTLINGS.name, SETTLINGS.id)) !== null) throw new StoreAway('what was put back here is not settled: run it again (operate -- settle)');
}
