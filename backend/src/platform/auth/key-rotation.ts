import { randomBytes } from 'node:crypto';
import { allSettled } from '../all-settled.js';
import type { Document } from '../documents/documents.js';
import { ROTATIONS } from '../moving/unfinished-work.js';
import { decrypt, encrypt } from '../personal-data/aes-gcm.js';
import { WRAPPED_DATA_KEYS } from '../personal-data/data-keys.js';
import { WRAPPED_EPOCH_KEYS } from '../personal-data/key-epoch.js';
import type { WrappedKeys } from '../personal-data/wrapped-keys.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { CHECK, WRAPPED_VAULT_KEYS } from './vault-keys.js';

/** Everything that the master key wraps. */
export const WRAPPED: readonly WrappedKeys[] = [WRAPPED_VAULT_KEYS, WRAPPED_DATA_KEYS, WRAPPED_EPOCH_KEYS];
const PROOF = 'key-rotation';
const PROOF_BYTES = 32;
const PAGE = 100;

/** The rotation is not possible. Nothing was changed. */
export class RotationRefused extends Error {
  override readonly name = 'RotationRefused';
}

/** The old and the new master key. */
export interface RotationKeys {
  readonly from: Buffer;
  readonly to: Buffer;
}

/** How a record of the vault is read; null if it does not exist. */
export type ReadRecord = <Body extends Document>(collection: string, id: string) => Promise<Body | null>;

/** `wrapped`: by the master key. `destroyed`: what is left of a data key of an erased person or project. */
type KeyRecord = Document & { readonly wrapped?: string };

/** What the key wraps, or null for another key. */
function unwrap(key: Buffer, subject: string, wrapped: string): Buffer | null {
  try {
    return decrypt(key, subject, wrapped);
  } catch {
    // Any error of the cipher means another key.
    return null;
  }
}

const opens = (key: Buffer, subject: string, record: KeyRecord): boolean => record.wrapped !== undefined && unwrap(key, subject, record.wrapped) !== null;

/**
 * Checks the keys against the vault and an interrupted rotation.
 * @param to null if it has not been created yet
 * @returns the key to rotate to; `from` if only the end of a rotation is missing, null if it is to be created
 * @throws RotationRefused
 */
export async function planRotation(read: ReadRecord, from: Buffer, to: Buffer | null): Promise<Buffer | null> {
  const check = await read<KeyRecord>(WRAPPED_VAULT_KEYS.name, CHECK);
  if (check === null) throw new RotationRefused('the vault has no keys yet');
  const keys = to === null ? [from] : [from, to];
  if (!keys.some((key) => opens(key, WRAPPED_VAULT_KEYS.subjectOf(CHECK), check))) throw new RotationRefused('MASTER_KEY: not the key of this vault');
  const interrupted = await read<KeyRecord>(ROTATIONS.name, ROTATIONS.id);
  if (interrupted === null) return to;
  const target = keys.toReversed().find((key) => opens(key, PROOF, interrupted));
  if (target === undefined) throw new RotationRefused('NEW_MASTER_KEY: an interrupted rotation to another key is unfinished; give the same key again');
  return target;
}

/** What else a rotation needs. */
export interface RotationSteps {
  readonly signal: AbortSignal;
  /** Makes the new key the one that the program finds; called when it opens everything, and again after an interruption. */
  readonly place: () => Promise<void>;
  /** Called before the rotation counts as finished, and again after an interruption. */
  readonly finished: () => void;
}

/**
 * Wraps every key in the vault by the new master key. While it is unfinished each key is wrapped by one of the two, a marker keeps programs from starting,
 * and running it again with the same keys completes it. Does nothing if the new key already wraps everything. No program may be running.
 * @returns how many keys were wrapped again @throws RotationRefused before anything was changed; ServiceUnavailable, DiskFull
 */
export async function rotateMasterKey(vault: Vault, keys: RotationKeys, { signal, place, finished }: RotationSteps): Promise<number> {
  for (const { name } of [...WRAPPED, ROTATIONS]) await vault.declare({ name });
  const read: ReadRecord = async (collection, id) => (await vault.get<never>(collection, id))?.body ?? null;
  await planRotation(read, keys.from, keys.to);
  const isInterrupted = (await read(ROTATIONS.name, ROTATIONS.id)) !== null;
  const old = await forEachKey(vault, keys, () => Promise.resolve());
  if (old === 0 && !isInterrupted) return 0;
  await vault.insert(ROTATIONS.name, ROTATIONS.id, { wrapped: encrypt(keys.to, PROOF, randomBytes(PROOF_BYTES)) });
  // Repeated until nothing is left: a process that was overlooked may create keys meanwhile.
  for (let left = old; left > 0;) {
    left = await forEachKey(vault, keys, async (kind, record, key) => {
      signal.throwIfAborted();
      const wrapped = encrypt(keys.to, kind.subjectOf(record.id), key);
      await vault.replace(kind.name, record.id, record.version, { ...record.body, wrapped });
    });
  }
  await vault.scrub();
  await place();
  finished();
  await vault.remove(ROTATIONS.name, ROTATIONS.id);
  return old;
}

type RewrapKey = (kind: WrappedKeys, record: VaultRecord<KeyRecord>, key: Buffer) => Promise<void>;

/** Calls `rewrap` for each key that the old master key wraps; the check, which decides which master key programs accept, comes last. @returns how many */
async function forEachKey(vault: Vault, keys: RotationKeys, rewrap: RewrapKey): Promise<number> {
  let count = 0;
  const last: (() => Promise<void>)[] = [];
  for (const kind of WRAPPED) {
    for await (const page of pagesOf(vault, kind.name)) {
      const old = page.flatMap((record) => {
        const key = oldKey(kind, record, keys);
        return key === null ? [] : [{ record, work: () => rewrap(kind, record, key) }];
      });
      count += old.length;
      const isCheck = ({ record }: { readonly record: VaultRecord }): boolean => kind === WRAPPED_VAULT_KEYS && record.id === CHECK;
      last.push(...old.filter(isCheck).map(({ work }) => work));
      await allSettled(old.filter((each) => !isCheck(each)).map(({ work }) => work));
    }
  }
  for (const work of last) await work();
  return count;
}

/** The key in a record that the old master key wraps; null if there is none. @throws RotationRefused when neither opens it */
function oldKey({ name, subjectOf }: WrappedKeys, { id, body: { wrapped } }: VaultRecord<KeyRecord>, { from, to }: RotationKeys): Buffer | null {
  if (wrapped === undefined || unwrap(to, subjectOf(id), wrapped) !== null) return null;
  const key = unwrap(from, subjectOf(id), wrapped);
  if (key === null) throw new RotationRefused(`neither key opens ${name}/${id}`);
  return key;
}

async function* pagesOf(vault: Vault, collection: string): AsyncGenerator<readonly VaultRecord<KeyRecord>[]> {
  for (let afterId = ''; ;) {
    const page = await vault.find<KeyRecord>(collection, { afterId, limit: PAGE });
    yield page;
    const end = page.at(-1);
    if (end === undefined) return;
    afterId = end.id;
  }
}
