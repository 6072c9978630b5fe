import { isDeepStrictEqual } from 'node:util';
import type { Document } from '../documents/documents.js';
import { PARKED_REACTIONS, parkedReactionId } from '../reactors/parked-reactions.js';
import { isLeftOut, type RecordKinds } from '../vault/record-kinds.js';
import type { VaultContent } from '../vault/vault-copy.js';
import type { Vault } from '../vault/vault.js';
import { type MoveWork, MoveRefused } from './move-work.js';
import type { MovedPositions } from './moved-positions.js';
import { recordsOf } from './settle-records.js';

interface Moved {
  readonly collection: string;
  readonly id: string;
  readonly body: Document;
}

/** Copies a vault's records, brought to the positions that their events have in the other log, and reads them back. @returns how many records */
export async function moveVault(
  content: VaultContent,
  to: Vault,
  { positions, recordKinds, signal, report }: MoveWork & { readonly positions: MovedPositions; readonly recordKinds: RecordKinds },
): Promise<number> {
  let records = 0;
  for (const { name, indexes } of content.collections) {
    if (isLeftOut(recordKinds, name, 'moved')) continue;
    await to.declare({ name, indexes });
    const ids = new Set<string>();
    for (const record of content.records(name)) {
      signal.throwIfAborted();
      const moved = movedTo({ collection: name, ...record }, positions);
      const there = (await to.get(name, moved.id))?.body;
      if (!isDeepStrictEqual(there, moved.body)) {
        await to.put(name, moved.id, moved.body);
        const stored = await to.get(name, moved.id);
        if (!isDeepStrictEqual(stored?.body, moved.body)) throw new MoveRefused(`${name}: a record came back as another one`);
      }
      ids.add(moved.id);
    }
    // What a try before brought that is gone here since: a session that ended, the key of somebody who was erased.
    for await (const { id } of recordsOf(to, name)) if (!ids.has(id)) await to.remove(name, id);
    records += ids.size;
  }
  report(`${records} records of the vault copied`);
  return records;
}

/** A record that says the place of an event says its new one. */
function movedTo({ collection, id, body }: Moved, positions: MovedPositions): Moved {
  if (typeof body['position'] !== 'number') return { collection, id, body };
  const position = positions.of(body['position']);
  const moved = { ...body, position };
  return { collection, id: collection === PARKED_REACTIONS ? parkedReactionId(String(body['reactor']), position) : id, body: moved };
}
