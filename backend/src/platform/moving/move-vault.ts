import { isDeepStrictEqual } from 'node:util';
import type { Document } from '../documents/documents.js';
import { PARKED_REACTIONS, parkedReactionId } from '../reactors/parked-reactions.js';
import type { VaultContent } from '../vault/vault-copy.js';
import type { Vault } from '../vault/vault.js';
import { type MoveWork, MoveRefused } from './move-work.js';
import type { MovedPositions } from './moved-positions.js';

/** Means nothing elsewhere: failures that were counted, files on their way to the address that this program gave, who works and who looks at what. */
const LEFT_OUT: readonly string[] = ['throttle', 'uploads', 'upload-slots', 'leases', 'presence', 'readiness'];

interface Moved {
  readonly collection: string;
  readonly id: string;
  readonly body: Document;
}

/** Copies a vault's records, brought to the positions that their events have in the other log, and reads them back. @returns how many records */
export async function moveVault(
  content: VaultContent,
  to: Vault,
  { positions, signal, tell }: MoveWork & { readonly positions: MovedPositions },
): Promise<number> {
  let records = 0;
  for (const { name, indexes } of content.collections) {
    if (LEFT_OUT.includes(name)) continue;
    await to.declare({ name, indexes });
    for (const record of content.records(name)) {
      signal.throwIfAborted();
      const moved = movedTo({ collection: name, ...record }, positions);
      await to.put(name, moved.id, moved.body);
      const stored = await to.get(name, moved.id);
      if (!isDeepStrictEqual(stored?.body, moved.body)) throw new MoveRefused(`${name}: a record came back as another one`);
      records += 1;
    }
  }
  tell(`${records} records of the vault copied`);
  return records;
}

/** A record that says the place of an event says its new one. */
function movedTo({ collection, id, body }: Moved, positions: MovedPositions): Moved {
  if (typeof body['position'] !== 'number') return { collection, id, body };
  const position = positions.of(body['position']);
  const moved = { ...body, position };
  return { collection, id: collection === PARKED_REACTIONS ? parkedReactionId(String(body['reactor']), position) : id, body: moved };
}
