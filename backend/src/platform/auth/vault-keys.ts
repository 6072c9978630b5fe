import { randomBytes } from 'node:crypto';
import { decrypt, encrypt } from '../personal-data/aes-gcm.js';
import type { Vault } from '../vault/vault.js';

const COLLECTION = 'vault-keys';
const CHECK = 'check';
const KEY_BYTES = 32;
const NAMES = ['requests', 'devices', 'uploads', 'throttle', 'emails'] as const;

/** Keys of HMACs: for hashes of requests, device cookies, upload URLs, the subjects of throttle records and the addresses of e-mails. */
export type VaultKeyName = (typeof NAMES)[number];

interface WrappedKey extends Record<string, unknown> {
  readonly wrapped: string;
}

/** The vault belongs to another master key; nothing was changed. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';
  constructor(message = 'MASTER_KEY: not the key of this data folder') {
    super(message);
  }
}

/** Whether the vault already belongs to a master key. */
export async function hasMasterKey(vault: Vault): Promise<boolean> {
  await vault.declare({ name: COLLECTION });
  return (await vault.get(COLLECTION, CHECK)) !== null;
}

/** Binds a new vault to the master key; later only that key is accepted. @throws WrongMasterKey for another one, without changing anything */
export async function checkMasterKey(vault: Vault, masterKey: Buffer): Promise<void> {
  await vault.declare({ name: COLLECTION });
  await readOrCreateKey(vault, masterKey, CHECK);
}

/** Random keys of the installation, wrapped by the master key in the vault. They are read once, at start. */
export class VaultKeys {
  private constructor(private readonly keys: ReadonlyMap<VaultKeyName, Buffer>) {}

  /** Checks the master key first, then reads the keys and creates missing ones. @throws WrongMasterKey */
  static async open(vault: Vault, masterKey: Buffer): Promise<VaultKeys> {
    await checkMasterKey(vault, masterKey);
    const keys = new Map<VaultKeyName, Buffer>();
    for (const name of NAMES) keys.set(name, await readOrCreateKey(vault, masterKey, name));
    return new VaultKeys(keys);
  }

  key(name: VaultKeyName): Buffer {
    const key = this.keys.get(name);
    if (key === undefined) throw new Error(`there is no vault key named ${name}`);
    return key;
  }
}

async function readOrCreateKey(vault: Vault, masterKey: Buffer, name: string): Promise<Buffer> {
  const subject = `vault-key-${name}`;
  const known = await vault.get<WrappedKey>(COLLECTION, name);
  if (known === null) await vault.insert(COLLECTION, name, { wrapped: encrypt(masterKey, subject, randomBytes(KEY_BYTES)) });
  const stored = known ?? (await vault.get<WrappedKey>(COLLECTION, name));
  if (stored === null) throw new Error(`the vault key ${name} was removed while it was being created`);
  try {
    return decrypt(masterKey, subject, stored.body.wrapped);
  } catch {
    // Any error of the cipher means the wrong key.
    throw new WrongMasterKey();
  }
}
