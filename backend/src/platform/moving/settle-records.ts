import { isDeepStrictEqual } from 'node:util';
import { RESTORES } from '../vault/last-restore.js';
import { type RecordKinds, type RestoredVault, settledRecord } from '../vault/record-kinds.js';
import type { Vault, VaultRecord } from '../vault/vault.js';

const PAGE = 500;

/** How many records were kept unchanged, changed and removed. */
export interface SettledRecords {
  readonly kept: number;
  readonly changed: number;
  readonly removed: number;
}

/**
 * Rolls every record of a vault back to the end of its log, and stores the time of the restore. No program may be using the vault. Can be repeated after
 * an interruption.
 * @throws ServiceUnavailable, DiskFull
 */
export async function settleRecords(
  vault: Vault,
  log: RestoredVault,
  { signal, recordKinds }: { readonly signal: AbortSignal; readonly recordKinds: RecordKinds },
): Promise<SettledRecords> {
  const done = { kept: 0, changed: 0, removed: 0 };
  for (const kind of Object.keys(recordKinds)) {
    await vault.declare({ name: kind });
    for await (const { id, body } of recordsOf(vault, kind)) {
      signal.throwIfAborted();
      const settled = settledRecord({ kind, id, body }, log, recordKinds);
      if (settled === null) done.removed += (await vault.remove(kind, id)) ? 1 : 0;
      else if (isDeepStrictEqual(settled, body)) done.kept += 1;
      else {
        await vault.put(kind, id, settled);
        done.changed += 1;
      }
    }
  }
  await vault.put(RESTORES.name, RESTORES.id, { at: log.restoredAt });
  return done;
}

/** Every record of a kind, in id order. */
export async function* recordsOf(vault: Vault, kind: string): AsyncGenerator<VaultRecord> {
  for (let afterId = ''; ;) {
    const page = await vault.find(kind, { afterId, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    afterId = last.id;
  }
}
