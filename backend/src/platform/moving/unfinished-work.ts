import { ServiceUnavailable } from '../store-errors.js';
import type { Vault } from '../vault/vault.js';

/** The marker record of a move, in its target vault. */
export const MOVES = { name: 'moves', id: 'embedded' } as const;
/** The marker record of an unfinished run of `operate -- settle`. */
export const SETTLINGS = { name: 'settlings', id: 'settling' } as const;

/** Prevents a program from starting on stores that are only half moved or half settled. @throws ServiceUnavailable if a move or a settling is unfinished */
export async function refuseUnfinishedWork(vault: Vault): Promise<void> {
  await vault.declare({ name: MOVES.name });
  await vault.declare({ name: SETTLINGS.name });
  const move = await vault.get<{ readonly state: string }>(MOVES.name, MOVES.id);
  if (move?.body.state === 'begun') throw new ServiceUnavailable('a move to these servers is unfinished: run it again (operate -- move)');
  if ((await vault.get(SETTLINGS.name, SETTLINGS.id)) !== null)
    throw new ServiceUnavailable('the restore on these servers is unfinished: run operate -- settle again');
}
