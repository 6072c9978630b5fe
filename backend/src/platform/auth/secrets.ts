import { hkdfSync, randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { placeNewFile, systemCode, writeTemporary } from '../durable-file.js';
import type { Vault } from '../vault/vault.js';
import { isStrongKey, KEY_REQUIREMENT } from './key-strength.js';
import { checkMasterKey, hasMasterKey, WrongMasterKey } from './vault-keys.js';

/** The keys that the program starts with. */
export interface Secrets {
  readonly adminKey: string;
  /** 32 octets, derived from the text that was given or made. */
  readonly masterKey: Buffer;
  /** Where the admin key lies; null when the environment gave it. */
  readonly adminKeyPath: string | null;
  /** True when this start made the admin key. */
  readonly adminKeyCreated: boolean;
}

const KEY_BYTES = 32;

/** The key that wraps the vault's keys, from a text that holds 128 random bits. HKDF-SHA-256 (RFC 5869). */
export const masterKeyFrom = (text: string): Buffer => Buffer.from(hkdfSync('sha256', text, '', 'roughmix master key 1', KEY_BYTES));

/**
 * The keys of the environment, else those of `admin.key` and `master.key` in DATA_DIR, made there at the first start (mode 0600). Nothing is made for a
 * vault that belongs to another master key.
 * @throws WrongMasterKey, Error when a file holds less than 128 bits, DiskFull
 */
export async function openSecrets(config: Pick<Config, 'DATA_DIR' | 'ADMIN_KEY' | 'MASTER_KEY'>, vault: Vault): Promise<Secrets> {
  const masterKey = await openMasterKey(config, vault);
  if (config.ADMIN_KEY !== null) return { adminKey: config.ADMIN_KEY, masterKey, adminKeyPath: null, adminKeyCreated: false };
  const adminKeyPath = join(config.DATA_DIR, 'admin.key');
  const known = await readKey(adminKeyPath);
  return { adminKey: known ?? (await makeKey(adminKeyPath)), masterKey, adminKeyPath, adminKeyCreated: known === null };
}

async function openMasterKey(config: Pick<Config, 'DATA_DIR' | 'MASTER_KEY'>, vault: Vault): Promise<Buffer> {
  const path = join(config.DATA_DIR, 'master.key');
  const known = config.MASTER_KEY ?? (await readKey(path));
  if (known === null && (await hasMasterKey(vault)))
    throw new WrongMasterKey(`MASTER_KEY: needed to open this data folder; give it, or put the file master.key into ${config.DATA_DIR}`);
  const masterKey = masterKeyFrom(known ?? (await makeKey(path)));
  await checkMasterKey(vault, masterKey);
  return masterKey;
}

async function readKey(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, 'utf8')).trim();
    if (!isStrongKey(text)) throw new Error(`${path}: ${KEY_REQUIREMENT}`);
    return text;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Makes a key unless another process was faster; then theirs holds. */
async function makeKey(path: string): Promise<string> {
  const folder = join(path, '..');
  await mkdir(folder, { recursive: true });
  const key = randomBytes(KEY_BYTES).toString('base64url');
  const temporary = await writeTemporary(folder, Buffer.from(`${key}\n`), 0o600);
  if (await placeNewFile(temporary, path)) return key;
  const theirs = await readKey(path);
  if (theirs === null) throw new Error(`${path} was removed while it was read`);
  return theirs;
}
