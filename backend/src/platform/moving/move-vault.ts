import { isDeepStrictEqual } from 'node:util';
import type { Document } from '../documents/documents.js';
import { PARKED_REACTIONS, parkedReactionId } from '../reactors/parked-reactions.js';
import { CHECKPOINTS, isLeftOut, type RecordKinds } from '../vault/record-kinds.js';
import type { VaultContent } from '../vault/vault-copy.js';
import type { Vault } from '../vault/vault.js';
import { type MoveOptions, MoveRefused } from './move-options.js';
import type { MovedPositions } from './moved-positions.js';
import { recordsOf } from './settle-records.js';

interface MovedRecord {
  readonly collection: string;
  readonly id: string;
  readonly body: Document;
}

/** Copies a vault's records, translates their positions to the target log, and reads them back. @returns how many records */
export async function moveVault(
  content: VaultContent,
  to: Vault,
  { positions, recordKinds, signal, report }: MoveOptions & { readonly positions: MovedPositions; readonly recordKinds: RecordKinds },
): Promise<number> {
  let records = 0;
  for (const { name, indexes } of content.collections) {
    if (isLeftOut(recordKinds, name, 'moved')) continue;
    await to.declare({ name, indexes });
    const ids = new Set<string>();
    for (const record of content.records(name)) {
      signal.throwIfAborted();
      const moved = withTargetPosition({ collection: name, ...record }, positions);
      const existing = (await to.get(name, moved.id))?.body;
      if (!isDeepStrictEqual(existing, moved.body)) {
        await to.put(name, moved.id, moved.body);
        const stored = await to.get(name, moved.id);
        if (!isDeepStrictEqual(stored?.body, moved.body)) throw new MoveRefused(`${name}: a record differs after copying`);
      }
      ids.add(moved.id);
    }
    // Remove records that an interrupted run copied and that were deleted since, such as ended sessions and keys of erased users.
    for await (const { id } of recordsOf(to, name)) if (!ids.has(id)) await to.remove(name, id);
    records += ids.size;
  }
  report(`${records} records of the vault copied`);
  return records;
}

/** Replaces the positions in a record, if it has any, and in the id of a parked reaction. */
function withTargetPosition({ collection, id, body }: MovedRecord, positions: MovedPositions): MovedRecord {
  if (typeof body['position'] !== 'number') return { collection, id, body };
  const position = positions.of(body['position']);
  const finished =
    collection === CHECKPOINTS && Array.isArray(body['finished']) ? { finished: body['finished'].map((each) => positions.of(Number(each))) } : {};
  const moved = { ...body, position, ...finished };
  return { collection, id: collection === PARKED_REACTIONS ? parkedReactionId(String(body['reactor']), position) : id, body: moved };
}
