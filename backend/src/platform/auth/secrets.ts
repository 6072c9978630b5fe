import { hkdfSync, randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { placeNewFile, systemCode, writeTemporary } from '../durable-file.js';
import { refuseRotationIn, refuseUnfinishedRotation } from '../moving/unfinished-work.js';
import type { Vault } from '../vault/vault.js';
import { isStrongKey, KEY_REQUIREMENT } from './key-strength.js';
import { checkMasterKey, hasMasterKey, MissingMasterKey, peekMasterKey } from './vault-keys.js';

/** The keys that the program needs at start. */
export interface Secrets {
  readonly adminKey: string;
  /** 32 bytes, derived from the text in the environment or the file. */
  readonly masterKey: Buffer;
  /** The file of the admin key; null if the key comes from the environment. */
  readonly adminKeyPath: string | null;
  /** Whether this start created the admin key. */
  readonly adminKeyCreated: boolean;
}

const KEY_BYTES = 32;

/** Derives the key that wraps the vault's keys from a text with at least 128 random bits: HKDF-SHA-256 (RFC 5869). */
export const masterKeyFrom = (text: string): Buffer => Buffer.from(hkdfSync('sha256', text, '', 'roughmix master key 1', KEY_BYTES));

/**
 * Takes the keys from the environment, or else from `admin.key` and `master.key` in DATA_DIR, which the first start creates (mode 0600). Creates nothing
 * if the vault belongs to another master key.
 * @throws WrongMasterKey, ServiceUnavailable while a rotation is unfinished, Error when a file holds less than 128 bits, DiskFull
 */
export async function openSecrets(config: Pick<Config, 'DATA_DIR' | 'ADMIN_KEY' | 'MASTER_KEY' | 'ROLES'>, vault: Vault): Promise<Secrets> {
  const masterKey = await openMasterKey(config, vault);
  if (config.ADMIN_KEY !== null) return { adminKey: config.ADMIN_KEY, masterKey, adminKeyPath: null, adminKeyCreated: false };
  // Nothing asks for it without the API.
  if (!config.ROLES.includes('web')) return { adminKey: randomBytes(KEY_BYTES).toString('hex'), masterKey, adminKeyPath: null, adminKeyCreated: false };
  const adminKeyPath = adminKeyFileOf(config);
  const stored = await readKey(adminKeyPath);
  return { adminKey: stored ?? (await createKey(adminKeyPath)), masterKey, adminKeyPath, adminKeyCreated: stored === null };
}

/** Where the master key comes from. */
export type MasterKeyConfig = Pick<Config, 'DATA_DIR' | 'MASTER_KEY'>;

/** The file of the admin key if it is not given in the environment. */
export const adminKeyFileOf = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'admin.key');
/** The file of the master key if it is not given in the environment. */
export const masterKeyFile = ({ DATA_DIR }: MasterKeyConfig): string => join(DATA_DIR, 'master.key');
/** The master key as text, from the environment or the data folder; null if there is none. */
export const givenMasterKey = async (config: MasterKeyConfig): Promise<string | null> => config.MASTER_KEY ?? readKey(masterKeyFile(config));

/**
 * Refuses the master key of another data folder, and an unfinished rotation, before any file of this one is opened. The vault of servers is checked when
 * it is opened. @throws WrongMasterKey, ServiceUnavailable
 */
export async function refuseWrongMasterKey(config: MasterKeyConfig & Pick<Config, 'MONGO_URL'>): Promise<void> {
  if (config.MONGO_URL !== null) return;
  const file = join(config.DATA_DIR, 'vault.db');
  await refuseRotationIn(file);
  const text = await givenMasterKey(config);
  await peekMasterKey(file, text === null ? null : masterKeyFrom(text));
}

async function openMasterKey(config: MasterKeyConfig, vault: Vault): Promise<Buffer> {
  await refuseUnfinishedRotation(vault);
  const text = await givenMasterKey(config);
  if (text === null && (await hasMasterKey(vault))) throw new MissingMasterKey(config.DATA_DIR);
  const masterKey = masterKeyFrom(text ?? (await createKey(masterKeyFile(config))));
  await checkMasterKey(vault, masterKey);
  return masterKey;
}

/** The key in a file; null without the file. @throws Error when it holds less than 128 bits */
export async function readKey(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, 'utf8')).trim();
    if (!isStrongKey(text)) throw new Error(`${path} needs ${KEY_REQUIREMENT}`);
    return text;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Creates a key file, or returns the key of a process that created it first. */
export async function createKey(path: string): Promise<string> {
  const folder = join(path, '..');
  await mkdir(folder, { recursive: true });
  const key = randomBytes(KEY_BYTES).toString('base64url');
  const temporary = await writeTemporary(folder, Buffer.from(`${key}\n`), 0o600);
  if (await placeNewFile(temporary, path)) return key;
  const theirs = await readKey(path);
  if (theirs === null) throw new Error(`${path} was removed while it was being read`);
  return theirs;
}
