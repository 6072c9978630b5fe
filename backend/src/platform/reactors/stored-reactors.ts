import type { ReactorStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Vault } from '../vault/vault.js';
import { ParkedReactions } from './parked-reactions.js';
import { REACTOR_CHECKPOINTS } from './taken-checkpoint.js';

/** The stored checkpoint of every reactor that ever ran on this vault, for processes that run none. */
export async function storedReactors(vault: Vault, head: Position): Promise<readonly ReactorStatus[]> {
  await vault.declare({ name: REACTOR_CHECKPOINTS });
  const parked = await ParkedReactions.open(vault);
  const records = await vault.find<{ position: Position }>(REACTOR_CHECKPOINTS, {});
  return Promise.all(
    records.map(async ({ id, body: { position } }) => ({
      reactor: id,
      checkpoint: position,
      lag: Math.max(0, head - position),
      parked: await parked.of(id),
    })),
  );
}
