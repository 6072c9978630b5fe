import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { decrypt, encrypt } from '../personal-data/aes-gcm.js';
import type { WrappedKeys } from '../personal-data/wrapped-keys.js';
import { peekRecord } from '../vault/peek-record.js';
import type { Vault } from '../vault/vault.js';

const COLLECTION = 'vault-keys';
/** The id of the record that only the vault's master key opens. */
export const CHECK = 'check';
const KEY_BYTES = 32;
const NAMES = ['requests', 'devices', 'uploads', 'throttle', 'emails', 'push', 'unsubscribe', 'accounts'] as const;

/**
 * Keys of HMACs: for hashes of requests, device cookies, upload URLs, the subjects of throttle records and the addresses of e-mails; what seals e-mails is
 * derived from the last of these. From `push` are derived what seals push subscriptions, and VAPID keys if none are given. `unsubscribe` encrypts the tokens
 * of unsubscribe links. From `accounts` are derived what seals the addresses and slugs of accounts, and the ids under which these are found.
 */
export type VaultKeyName = (typeof NAMES)[number];

const subjectOf = (name: string): string => `vault-key-${name}`;

export const WRAPPED_VAULT_KEYS: WrappedKeys = { name: COLLECTION, subjectOf };

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

/** The vault belongs to a master key, and none was given. */
export class MissingMasterKey extends WrongMasterKey {
  constructor(folder: string) {
    super(`MASTER_KEY: needed to open this data folder; give it, or put the file master.key into ${folder}`);
  }
}

/** Whether the vault already belongs to a master key. */
export async function hasMasterKey(vault: Vault): Promise<boolean> {
  await vault.declare({ name: COLLECTION });
  return (await vault.get(COLLECTION, CHECK)) !== null;
}

/** Checks the master key against a vault's file before the file is opened, which may change it. @throws WrongMasterKey for another key, or for none */
export async function peekMasterKey(file: string, masterKey: Buffer | null): Promise<void> {
  const stored = await peekRecord<WrappedKey>(file, COLLECTION, CHECK);
  if (stored === null) return;
  if (masterKey === null) throw new MissingMasterKey(dirname(file));
  unwrap(masterKey, CHECK, stored);
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
  const known = await vault.get<WrappedKey>(COLLECTION, name);
  if (known === null) await vault.insert(COLLECTION, name, { wrapped: encrypt(masterKey, subjectOf(name), randomBytes(KEY_BYTES)) });
  const stored = known ?? (await vault.get<WrappedKey>(COLLECTION, name));
  if (stored === null) throw new Error(`the vault key ${name} was removed while it was being created`);
  return unwrap(masterKey, name, stored.body);
}

function unwrap(masterKey: Buffer, name: string, { wrapped }: WrappedKey): Buffer {
  try {
    return decrypt(masterKey, subjectOf(name), wrapped);
  } catch {
    // Any error of the cipher means the wrong key.
    throw new WrongMasterKey();
  }
}
