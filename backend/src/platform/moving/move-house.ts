import type { RecordKinds } from '../vault/record-kinds.js';
import { opensWith, readVault } from '../vault/vault-copy.js';
import type { BlobStore } from '../blobs/blobs.js';
import { hasMasterKey } from '../auth/vault-keys.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Vault } from '../vault/vault.js';
import { type MovedFiles, moveFiles } from './move-files.js';
import { type MovedLog, moveLog } from './move-log.js';
import { moveVault } from './move-vault.js';
import { type MoveWork, MoveRefused } from './move-work.js';
import { MOVES } from './unfinished-work.js';

/** Where log, vault and files go. */
export interface NewHouse {
  readonly eventStore: EventStore;
  readonly vault: Vault;
  readonly blobs: BlobStore;
  /** Names the place of the files among others. */
  readonly bucket: string;
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

/** The note of a move in the vault that it fills: which log comes, into which log and which place of files. */
interface Note extends Record<string, unknown> {
  readonly from: string;
  readonly to: string;
  readonly bucket: string;
  readonly state: 'begun' | 'done';
}

/**
 * Copies log, vault and files to other stores that are empty, or goes on with a move of this same log that was cut off; everything is read back and
 * compared. What is here is not changed. `settle` runs on both before the move counts as done; until then no program starts on what is there.
 * @throws MoveRefused, StoreAway, DiskFull
 */
export async function moveHouse(
  from: OldHouse,
  to: NewHouse,
  work: MoveWork & { masterKey: string; recordKinds: RecordKinds; settle: (log: MovedLog) => Promise<void> },
): Promise<MovedHouse> {
  if (!opensWith(from.vaultFile, work.masterKey))
    throw new MoveRefused('MASTER_KEY: not the key of what is to be moved; it lies in DATA_DIR/master.key unless it was given');
  await begin(from, to);
  work.report('copying the log');
  const log = await moveLog(from.eventStore, to.eventStore, work);
  const records = await readVault(from.vaultFile, (content) => moveVault(content, to.vault, { ...work, positions: log.positions }));
  const files = await moveFiles(from.blobs, to.blobs, work);
  await work.settle(log);
  await to.vault.put(MOVES.name, MOVES.id, noteOf(from, to, 'done'));
  return { log, records, files };
}

const noteOf = ({ eventStore }: OldHouse, to: NewHouse, state: Note['state']): Note => ({
  from: eventStore.identity,
  to: to.eventStore.identity,
  bucket: to.bucket,
  state,
});

/** @throws MoveRefused when something is there already that this move did not bring */
async function begin(from: OldHouse, to: NewHouse): Promise<void> {
  const { eventStore, vault, blobs, bucket } = to;
  await vault.declare({ name: MOVES.name });
  const note = await vault.get<Note>(MOVES.name, MOVES.id);
  if (note !== null) return refuseAnother(note.body, noteOf(from, to, 'begun'));
  if ((await eventStore.head()) > 0) throw new MoveRefused('EVENTSTORE_URL: the log there holds events already');
  if (await hasMasterKey(vault)) throw new MoveRefused('MONGO_URL: the vault there belongs to an installation already');
  const [found] = await blobs.list('', { limit: 1 });
  if (found !== undefined) throw new MoveRefused(`S3_BUCKET: ${bucket} holds files already, as ${found}`);
  if (!(await vault.insert(MOVES.name, MOVES.id, noteOf(from, to, 'begun')))) throw new MoveRefused('another move began there at the same time');
}

/** A move goes on with what it began with, and ends once. */
function refuseAnother(note: Note, mine: Note): void {
  if (note.from !== mine.from) throw new MoveRefused('MONGO_URL: another log was moved there');
  if (note.to !== mine.to) throw new MoveRefused('EVENTSTORE_URL: this move began with another log there');
  if (note.bucket !== mine.bucket) throw new MoveRefused(`S3_BUCKET: this move began with ${note.bucket}`);
  if (note.state === 'done') throw new MoveRefused('this log was moved there already; to move it again empty log, vault and bucket there');
}
