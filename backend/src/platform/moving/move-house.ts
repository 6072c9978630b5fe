import { opensWith, readVault } from '../vault/vault-copy.js';
import type { BlobStore } from '../blobs/blobs.js';
import { hasMasterKey } from '../auth/vault-keys.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Vault } from '../vault/vault.js';
import { type MovedFiles, moveFiles } from './move-files.js';
import { type MovedLog, moveLog } from './move-log.js';
import { moveVault } from './move-vault.js';
import { type MoveWork, MoveRefused } from './move-work.js';

/** Where log, vault and files go. */
export interface NewHouse {
  readonly eventStore: EventStore;
  readonly vault: Vault;
  readonly blobs: BlobStore;
}

/** Where they come from: opened, so that nobody writes to it meanwhile, but the vault, which is read as a file. */
export interface OldHouse {
  readonly eventStore: EventStore;
  readonly vaultFile: string;
  readonly blobs: BlobStore;
}

/** What was moved. */
export interface MovedHouse {
  readonly log: MovedLog;
  readonly records: number;
  readonly files: MovedFiles;
}

/** The note of a move in the vault that it fills. */
interface Note extends Record<string, unknown> {
  readonly from: string;
  readonly state: 'begun' | 'done';
}

const COLLECTION = 'moves';
const ID = 'embedded';

/**
 * Copies log, vault and files to other stores that are empty, or goes on with a move of this same log that was cut off; everything is read back and
 * compared. What is here is not changed. `settle` runs on both before the move counts as done.
 * @throws MoveRefused, StoreAway, DiskFull
 */
export async function moveHouse(
  from: OldHouse,
  to: NewHouse,
  work: MoveWork & { masterKey: string; settle: (log: MovedLog) => Promise<void> },
): Promise<MovedHouse> {
  if (!opensWith(from.vaultFile, work.masterKey))
    throw new MoveRefused('MASTER_KEY: not the key of what is to be moved; it lies in DATA_DIR/master.key unless it was given');
  await begin(from, to);
  work.tell('copying the log');
  const log = await moveLog(from.eventStore, to.eventStore, work);
  const records = await readVault(from.vaultFile, (content) => moveVault(content, to.vault, { ...work, positions: log.positions }));
  const files = await moveFiles(from.blobs, to.blobs, work);
  await work.settle(log);
  await to.vault.put(COLLECTION, ID, noteOf(from, 'done'));
  return { log, records, files };
}

const noteOf = ({ eventStore }: OldHouse, state: Note['state']): Note => ({ from: eventStore.identity, state });

/** @throws MoveRefused when something is there already that this move did not bring */
async function begin(from: OldHouse, { eventStore, vault, blobs }: NewHouse): Promise<void> {
  await vault.declare({ name: COLLECTION });
  const note = await vault.get<Note>(COLLECTION, ID);
  if (note !== null) {
    if (note.body.from !== from.eventStore.identity) throw new MoveRefused('another log was moved there');
    if (note.body.state === 'done') throw new MoveRefused('this log was moved there already');
    return;
  }
  if ((await eventStore.head()) > 0) throw new MoveRefused('EVENTSTORE_URL: the log there holds events already');
  if (await hasMasterKey(vault)) throw new MoveRefused('MONGO_URL: the vault there belongs to an installation already');
  if ((await blobs.list('', { limit: 1 })).length > 0) throw new MoveRefused('S3_BUCKET: the bucket holds files already');
  if (!(await vault.insert(COLLECTION, ID, noteOf(from, 'begun')))) throw new MoveRefused('another move began there at the same time');
}
