import { randomUUID } from 'node:crypto';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { masterKeyFrom } from '../auth/secrets.js';
import { checkMasterKey, hasMasterKey, WrongMasterKey } from '../auth/vault-keys.js';
import type { Clock } from '../clock.js';
import type { EventStore } from '../event-store/event-store.js';
import type { RecordKinds } from '../vault/record-kinds.js';
import type { Vault } from '../vault/vault.js';
import type { MoveWork } from './move-work.js';
import { settleRecords, type SettledRecords } from './settle-records.js';
import { signOfLife } from './signs-of-life.js';
import { SETTLINGS } from './unfinished-work.js';

/** What was put back, and how each part of it is settled. All of it may be done again. */
export interface RestoredHouse {
  readonly eventStore: EventStore;
  readonly vault: Vault;
  dropReadModels(): Promise<void>;
  /** Gives the log another identity by an event of this id. */
  renewIdentity(naming: { readonly id: string; readonly identity: string }): Promise<void>;
  /** Looks through the log: how far reactors may stand, by name. @throws SettleRefused where the list of erasures is not that of this log */
  lookThrough(): Promise<Readonly<Record<string, Position>>>;
  /** Runs the program on what is settled by then: erases whom the list names. */
  finish(): Promise<void>;
}

/** What a settling is about, as its note in the vault says it. */
interface Note extends Record<string, unknown> {
  /** Of the event that names the log. */
  readonly id: string;
  readonly identity: string;
  /** Where the log ended before anything was written to it. */
  readonly position: Position;
  readonly reactors: Readonly<Record<string, Position>>;
}

/** What was settled. */
export interface SettledHouse {
  readonly identity: string;
  readonly position: Position;
  readonly records: SettledRecords;
}

/** What was asked for makes no sense here; nothing was changed. */
export class SettleRefused extends Error {
  override readonly name = 'SettleRefused';
}

/** How settling is done: `watchMs` is how long it looks for processes at work, in milliseconds. */
export interface SettleWork extends MoveWork {
  readonly recordKinds: RecordKinds;
  readonly masterKey: string;
  readonly clock: Clock;
  readonly watchMs?: number;
}

/**
 * Makes one installation of a log, a vault and files that were put back from copies made beside running processes: the log gets another identity, read
 * models go, the vault is brought to where the log ends, who was erased stays erased. What is cut off keeps every program from starting, and is completed by
 * asking again. @throws SettleRefused, StoreAway, DiskFull
 */
export async function settleRestored(house: RestoredHouse, work: SettleWork): Promise<SettledHouse> {
  const { vault } = house;
  await refuseOthers(house, work.masterKey);
  const { id, identity, position, reactors } = await begun(house, work);
  work.report('dropping the read models');
  await house.dropReadModels();
  work.report(`bringing the vault to position ${position}, where the log ends`);
  const records = await settleRecords(vault, { position, reactors, restoredAt: work.clock() }, work);
  await house.renewIdentity({ id, identity });
  work.signal.throwIfAborted();
  await house.finish();
  await vault.remove(SETTLINGS.name, SETTLINGS.id);
  return { identity, position, records };
}

/** Nothing is written into a database that is another one, or with a key that does not open it. */
async function refuseOthers({ eventStore, vault }: RestoredHouse, masterKey: string): Promise<void> {
  if ((await eventStore.head()) === 0) throw new SettleRefused('EVENTSTORE_URL: the log there is empty; put the copy of the log back first');
  if (!(await hasMasterKey(vault))) throw new SettleRefused('MONGO_URL: no vault is there; put its copy back first, into the database that the address names');
  try {
    await checkMasterKey(vault, masterKeyFrom(masterKey));
  } catch (error) {
    if (error instanceof WrongMasterKey) throw new SettleRefused('MASTER_KEY: not the key of this vault');
    throw error;
  }
}

/** The note of a settling that was cut off, or that of a new one. */
async function begun(house: RestoredHouse, { signal, report, watchMs }: SettleWork): Promise<Note> {
  const { eventStore, vault } = house;
  await vault.declare({ name: SETTLINGS.name });
  const known = await vault.get<Note>(SETTLINGS.name, SETTLINGS.id);
  if (known !== null) {
    report('going on with what was cut off');
    return known.body;
  }
  const reactors = await house.lookThrough();
  report('watching for some seconds whether a process is at work');
  const who = await signOfLife(vault, signal, watchMs);
  if (who !== null) throw new SettleRefused(`${who}: stop every process first`);
  const note: Note = { id: randomUUID(), identity: randomUUID(), position: await eventStore.head(), reactors };
  if (!(await vault.insert(SETTLINGS.name, SETTLINGS.id, note))) throw new SettleRefused('somebody settles this at the same time');
  return note;
}
