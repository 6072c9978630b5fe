import { randomUUID } from 'node:crypto';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { masterKeyFrom } from '../auth/secrets.js';
import { checkMasterKey, hasMasterKey, WrongMasterKey } from '../auth/vault-keys.js';
import type { Clock } from '../clock.js';
import type { EventStore } from '../event-store/event-store.js';
import { newerThan, type ReadableTypes, writtenTypesIn } from '../streams/written-types.js';
import type { RecordKinds } from '../vault/record-kinds.js';
import type { Vault } from '../vault/vault.js';
import type { MoveOptions } from './move-options.js';
import { runningProcess } from './running-process.js';
import { settleRecords, type SettledRecords } from './settle-records.js';
import { refuseUnfinishedRotation, SETTLINGS } from './unfinished-work.js';

/** A restored installation and the steps to settle it. Every step can be repeated. */
export interface RestoredInstallation {
  readonly eventStore: EventStore;
  readonly vault: Vault;
  dropReadModels(): Promise<void>;
  /** Gives the log a new identity, with an event of this id. */
  renewIdentity(naming: { readonly id: string; readonly identity: string }): Promise<void>;
  /** Reads the whole log. @returns the highest allowed checkpoint of some reactors @throws SettleRefused if the list of erasures does not belong to this log */
  scanLog(): Promise<Readonly<Record<string, Position>>>;
  /** Runs the program on the settled data; erases everyone on the list of erasures again. */
  finish(): Promise<void>;
}

/** The marker record of an unfinished settling, in the vault. */
interface SettleMarker extends Record<string, unknown> {
  /** The id of the event that holds the log's new identity. */
  readonly id: string;
  readonly identity: string;
  /** The end of the log before settling wrote to it. */
  readonly position: Position;
  readonly reactors: Readonly<Record<string, Position>>;
}

/** The log's new identity and last position, and how many of the vault's records were kept, changed and removed. */
export interface SettledInstallation {
  readonly identity: string;
  readonly position: Position;
  readonly records: SettledRecords;
}

/** Settling is not possible. Nothing was changed. */
export class SettleRefused extends Error {
  override readonly name = 'SettleRefused';
}

/** `watchMs`: how long to watch for running processes, in milliseconds. */
export interface SettleOptions extends MoveOptions {
  readonly recordKinds: RecordKinds;
  /** What this program can read: it would not start on a newer log. */
  readonly readable: ReadableTypes;
  readonly masterKey: string;
  readonly clock: Clock;
  readonly watchMs?: number;
}

/**
 * Makes log, vault and files consistent after they were restored from copies taken at different times: drops the read models, rolls the vault back to the end of
 * the log, gives the log a new identity, and erases users again. After an interruption no program starts until it is run again.
 * @throws SettleRefused, ServiceUnavailable, DiskFull
 */
export async function settleRestored(installation: RestoredInstallation, options: SettleOptions): Promise<SettledInstallation> {
  const { vault } = installation;
  await refuseUnusableStores(installation, options);
  const { id, identity, position, reactors } = await resumeOrBegin(installation, options);
  options.report('dropping the read models');
  await installation.dropReadModels();
  options.report(`rolling the vault back to position ${position}, the end of the log`);
  const records = await settleRecords(vault, { position, reactors, restoredAt: options.clock() }, options);
  await installation.renewIdentity({ id, identity });
  options.signal.throwIfAborted();
  await installation.finish();
  await vault.remove(SETTLINGS.name, SETTLINGS.id);
  return { identity, position, records };
}

/** Refuses empty stores, a wrong key and a newer log, before anything is written. */
async function refuseUnusableStores({ eventStore, vault }: RestoredInstallation, { masterKey, readable }: SettleOptions): Promise<void> {
  if ((await eventStore.head()) === 0) throw new SettleRefused('EVENTSTORE_URL: the log is empty; restore its copy first');
  await refuseUnfinishedRotation(vault);
  if (!(await hasMasterKey(vault))) throw new SettleRefused('MONGO_URL: there is no vault; restore its copy first, into the database in the address');
  try {
    await checkMasterKey(vault, masterKeyFrom(masterKey));
  } catch (error) {
    if (error instanceof WrongMasterKey) throw new SettleRefused('MASTER_KEY: not the key of this vault');
    throw error;
  }
  const problem = newerThan(readable, await writtenTypesIn(vault));
  if (problem !== null) throw new SettleRefused(`${problem}. Settle with the newer version, or restore copies from before the update`);
}

/** Returns the marker of an interrupted run, or checks the preconditions and writes a new one. */
async function resumeOrBegin(installation: RestoredInstallation, { signal, report, watchMs }: SettleOptions): Promise<SettleMarker> {
  const { eventStore, vault } = installation;
  await vault.declare({ name: SETTLINGS.name });
  const known = await vault.get<SettleMarker>(SETTLINGS.name, SETTLINGS.id);
  if (known !== null) {
    report('continuing an interrupted run');
    return known.body;
  }
  const reactors = await installation.scanLog();
  report('checking for a few seconds that no process is running');
  const running = await runningProcess(vault, signal, watchMs);
  if (running !== null) throw new SettleRefused(`${running}: stop every process first`);
  const marker: SettleMarker = { id: randomUUID(), identity: randomUUID(), position: await eventStore.confirmedHead(), reactors };
  if (!(await vault.insert(SETTLINGS.name, SETTLINGS.id, marker))) throw new SettleRefused('another run of settle began at the same time');
  return marker;
}
