import { randomBytes } from 'node:crypto';
import { unwrapKey, wrapKey } from '../personal-data/wrapped-key.js';
import type { Vault } from '../vault/vault.js';

const COLLECTION = 'vault-keys';
const CHECK = 'check';
const KEY_BYTES = 32;
const NAMES = ['requests', 'devices', 'uploads', 'throttle'] as const;

/** What each key signs: hashes of requests, device cookies, uploads' addresses, the subjects of throttle records. */
export type VaultKeyName = (typeof NAMES)[number];

interface WrappedKey extends Record<string, unknown> {
  readonly wrapped: string;
}

/** The master key is another one than the data's; nothing was changed. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';
  constructor(message = 'MASTER_KEY: not the key of this data folder') {
    super(message);
  }
}

/** True when the vault belongs to a master key already. */
export async function hasMasterKey(vault: Vault): Promise<boolean> {
  await vault.declare({ name: COLLECTION });
  return (await vault.get(COLLECTION, CHECK)) !== null;
}

/** A vault belongs to the first master key that it is opened with. @throws WrongMasterKey for another one; then nothing was changed */
export async function checkMasterKey(vault: Vault, masterKey: Buffer): Promise<void> {
  await vault.declare({ name: COLLECTION });
  await keyOf(vault, masterKey, CHECK);
}

/** Random keys of the whole installation, kept in the vault wrapped with the master key. They are read once, at start. */
export class VaultKeys {
  private constructor(private readonly keys: ReadonlyMap<VaultKeyName, Buffer>) {}

  /** Checks the master key against the vault before anything else; makes what is missing. @throws WrongMasterKey */
  static async open(vault: Vault, masterKey: Buffer): Promise<VaultKeys> {
    await checkMasterKey(vault, masterKey);
    const keys = new Map<VaultKeyName, Buffer>();
    for (const name of NAMES) keys.set(name, await keyOf(vault, masterKey, name));
    return new VaultKeys(keys);
  }

  /** 32 octets. */
  key(name: VaultKeyName): Buffer {
    const key = this.keys.get(name);
    if (key === undefined) throw new Error(`there is no key of the name ${name}`);
    return key;
  }
}

async function keyOf(vault: Vault, masterKey: Buffer, name: string): Promise<Buffer> {
  const subject = `vault-key-${name}`;
  const known = await vault.get<WrappedKey>(COLLECTION, name);
  if (known === null) await vault.insert(COLLECTION, name, { wrapped: wrapKey(masterKey, subject, randomBytes(KEY_BYTES)) });
  const stored = known ?? (await vault.get<WrappedKey>(COLLECTION, name));
  if (stored === null) throw new Error(`the key ${name} was removed while it was made`);
  try {
    return unwrapKey(masterKey, subject, stored.body.wrapped);
  } catch {
    // Whatever the cipher says of it, it means this.
    throw new WrongMasterKey();
  }
}
