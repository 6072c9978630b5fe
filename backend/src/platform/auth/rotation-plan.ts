import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { placeFile, writeTemporary } from '../durable-file.js';
import { planRotation, type ReadRecord, type RotationKeys, RotationRefused } from './key-rotation.js';
import { createKey, givenMasterKey, masterKeyFile, masterKeyFrom, readKey } from './secrets.js';

/** The keys of a rotation, and how the new one takes effect. */
export interface RotationPlan extends RotationKeys {
  place(): Promise<void>;
}

type RotationConfig = Pick<Config, 'DATA_DIR' | 'MASTER_KEY' | 'NEW_MASTER_KEY'>;

const newKeyFile = ({ DATA_DIR }: RotationConfig): string => join(DATA_DIR, 'master.key.new');

/**
 * Takes the old key from MASTER_KEY and the new one from NEW_MASTER_KEY. Without MASTER_KEY the old key is `master.key` in the data folder; then the new one,
 * given or created, is durable in `master.key.new` before anything is wrapped by it, and replaces `master.key` at the end.
 * @throws RotationRefused without changing anything
 */
export async function planFor(config: RotationConfig, read: ReadRecord): Promise<RotationPlan> {
  const text = await givenMasterKey(config);
  if (text === null) throw new RotationRefused(`MASTER_KEY: needed; give it, or put the file master.key into ${config.DATA_DIR}`);
  return config.MASTER_KEY === null ? planInFolder(masterKeyFrom(text), config, read) : planGiven(masterKeyFrom(text), config, read);
}

async function planGiven(from: Buffer, { NEW_MASTER_KEY }: RotationConfig, read: ReadRecord): Promise<RotationPlan> {
  if (NEW_MASTER_KEY === null) throw new RotationRefused('NEW_MASTER_KEY or NEW_MASTER_KEY_FILE: needed, because MASTER_KEY is not in the data folder');
  const to = masterKeyFrom(NEW_MASTER_KEY);
  await planRotation(read, from, to);
  return { from, to, place: () => Promise.resolve() };
}

async function planInFolder(from: Buffer, config: RotationConfig, read: ReadRecord): Promise<RotationPlan> {
  const { NEW_MASTER_KEY } = config;
  const text = NEW_MASTER_KEY ?? (await readKey(newKeyFile(config)));
  const planned = await planRotation(read, from, text === null ? null : masterKeyFrom(text));
  // The new key is in place already.
  if (planned !== null && planned.equals(from)) return { from, to: from, place: () => Promise.resolve() };
  const file = newKeyFile(config);
  if (NEW_MASTER_KEY !== null) await placeFile(await writeTemporary(config.DATA_DIR, Buffer.from(`${NEW_MASTER_KEY}\n`), 0o600), file);
  const to = planned ?? masterKeyFrom(await createKey(file));
  return { from, to, place: () => placeFile(file, masterKeyFile(config)) };
}
