import { ServiceUnavailable } from '../store-errors.js';
import { peekRecord } from '../vault/peek-record.js';
import type { Vault } from '../vault/vault.js';

/** The marker record of a move, in its target vault. */
export const MOVES = { name: 'moves', id: 'embedded' } as const;
/** The marker record of an unfinished run of `operate -- settle`. */
export const SETTLINGS = { name: 'settlings', id: 'settling' } as const;

/** The marker record of an unfinished rotation of the master key. */
export const ROTATIONS = { name: 'key-rotations', id: 'master-key' } as const;

const ROTATE_AGAIN = 'the rotation of the master key is unfinished: run operate -- keys rotate again, with the same keys';

/** Prevents a program from starting with only one of the two master keys that an unfinished rotation needs. @throws ServiceUnavailable */
export async function refuseUnfinishedRotation(vault: Vault): Promise<void> {
  await vault.declare({ name: ROTATIONS.name });
  if ((await vault.get(ROTATIONS.name, ROTATIONS.id)) !== null) throw new ServiceUnavailable(ROTATE_AGAIN);
}

/** As {@link refuseUnfinishedRotation}, for a vault's file that must not be changed. @throws ServiceUnavailable */
export async function refuseRotationIn(file: string): Promise<void> {
  if ((await peekRecord(file, ROTATIONS.name, ROTATIONS.id)) !== null) throw new ServiceUnavailable(ROTATE_AGAIN);
}

/** Prevents a program from starting on stores that are only half moved or half settled. @throws ServiceUnavailable if a move or a settling is unfinished */
export async function refuseUnfinishedWork(vault: Vault): Promise<void> {
  await vault.declare({ name: MOVES.name });
  await vault.declare({ name: SETTLINGS.name });
  const move = await vault.get<{ readonly state: string }>(MOVES.name, MOVES.id);
  if (move?.body.state === 'begun') throw new ServiceUnavailable('a move to these servers is unfinished: run it again (operate -- move)');
  if ((await vault.get(SETTLINGS.name, SETTLINGS.id)) !== null)
    throw new ServiceUnavailable('the restore on these servers is unfinished: run operate -- settle again');
}
