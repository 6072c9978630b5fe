import { join } from 'node:path';
import { rotateMasterKey, RotationRefused } from '../platform/auth/key-rotation.js';
import { planFor, type RotationPlan } from '../platform/auth/rotation-plan.js';
import { WRAPPED_VAULT_KEYS } from '../platform/auth/vault-keys.js';
import type { Config } from '../platform/config/config.js';
import { claimLog } from '../platform/event-store/log-copy.js';
import { runningProcess } from '../platform/moving/running-process.js';
import { refuseUnfinishedWork, ROTATIONS } from '../platform/moving/unfinished-work.js';
import { openMongo, openVault } from '../platform/stores.js';
import { peekRecord } from '../platform/vault/peek-record.js';
import type { Vault } from '../platform/vault/vault.js';
import { existingLog } from './log-file.js';
import { type OperationContext, type Operation, OperationError } from './operation.js';

/** Changes the master key while every process is stopped. */
export const keysRotate: Operation = {
  name: 'keys rotate',
  about:
    'wraps every key in the vault by a new master key, NEW_MASTER_KEY, while every process is stopped; after an interruption run it again. Without MASTER_KEY, when the old key is master.key in DATA_DIR, it replaces that file, by a random key if none is given',
  usage: '',
  options: {},
  async run(context) {
    const count = await rotate(context);
    if (count === 0) await context.print('nothing to do: the new master key already opens this vault');
    else await context.print(`${count} keys are wrapped by the new master key`);
    if (context.config.MASTER_KEY !== null) context.log('Start every process with the new key as MASTER_KEY.');
    context.log('Backups made before need the old key: keep it as long as they exist.');
    return 0;
  },
};

async function rotate(context: OperationContext): Promise<number> {
  try {
    return await (context.config.MONGO_URL === null ? rotateInFolder(context) : rotateOnServer(context));
  } catch (error) {
    if (error instanceof RotationRefused) throw new OperationError(`keys rotate: ${error.message}`);
    if (context.signal.aborted) throw new OperationError('keys rotate: interrupted; run it again with the same keys');
    throw error;
  }
}

/** The vault in a data folder: its files are opened only with its key, and its log is locked meanwhile. */
async function rotateInFolder(context: OperationContext): Promise<number> {
  const { config } = context;
  const lock = config.EVENTSTORE_URL === null ? claimed(config) : null;
  try {
    const file = join(config.DATA_DIR, 'vault.db');
    const plan = await planFor(config, (collection, id) => peekRecord(file, collection, id));
    const vault = await openVault(config, null);
    try {
      if (lock === null) await refuseRunning(context, vault);
      return await rotateIn(context, vault, plan);
    } finally {
      await vault.close();
    }
  } finally {
    lock?.close();
  }
}

async function rotateOnServer(context: OperationContext): Promise<number> {
  const { config } = context;
  const mongo = await openMongo(config);
  try {
    const vault = await openVault(config, mongo);
    for (const name of [WRAPPED_VAULT_KEYS.name, ROTATIONS.name]) await vault.declare({ name });
    const plan = await planFor(config, async (collection, id) => (await vault.get<never>(collection, id))?.body ?? null);
    // An interrupted rotation comes first: settling needs a vault that one key opens.
    if ((await vault.get(ROTATIONS.name, ROTATIONS.id)) === null) await refuseUnfinishedWork(vault);
    await refuseRunning(context, vault);
    return await rotateIn(context, vault, plan);
  } finally {
    await mongo?.close();
  }
}

const rotateIn = ({ security, signal }: OperationContext, vault: Vault, plan: RotationPlan): Promise<number> =>
  rotateMasterKey(vault, plan, { signal, place: () => plan.place(), finished: () => security.record('key.rotated', { target: 'master-key' }) });

/** @throws OperationError if a program has the data folder open */
function claimed(config: Config): { close(): void } {
  const lock = claimLog(existingLog(config));
  if (lock === null) throw new OperationError(`keys rotate: a program has ${config.DATA_DIR} open; stop it first`);
  return lock;
}

/** @throws OperationError if a process works on the vault of servers */
async function refuseRunning(context: OperationContext, vault: Vault): Promise<void> {
  context.log('checking for a few seconds that no process is running');
  const running = await runningProcess(vault, context.signal);
  if (running !== null) throw new OperationError(`keys rotate: ${running}: stop every process first`);
}
