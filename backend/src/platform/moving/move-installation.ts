import type { RecordKinds } from '../vault/record-kinds.js';
import { opensWith, readVault } from '../vault/vault-copy.js';
import type { BlobStore } from '../blobs/blobs.js';
import { hasMasterKey } from '../auth/vault-keys.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Vault } from '../vault/vault.js';
import { type MovedFiles, moveFiles } from './move-files.js';
import { type MovedLog, moveLog } from './move-log.js';
import { moveVault } from './move-vault.js';
import { type MoveOptions, MoveRefused } from './move-options.js';
import { MOVES, refuseRotationIn } from './unfinished-work.js';

/** The stores to move to. */
export interface MoveTarget {
  readonly eventStore: EventStore;
  readonly vault: Vault;
  readonly blobs: BlobStore;
  /** Identifies the bucket in messages and in the marker record. */
  readonly bucket: string;
}

/** The stores to move from, opened so that no other program can write to them. The vault is read as a file. */
export interface MoveSource {
  readonly eventStore: EventStore;
  readonly vaultFile: string;
  readonly blobs: BlobStore;
}

/** What was copied: the log, the number of vault records, and the files. */
export interface MovedInstallation {
  readonly log: MovedLog;
  readonly records: number;
  readonly files: MovedFiles;
}

/** The marker record of a move in the target vault: the identities of both logs, and the bucket. */
interface MoveMarker extends Record<string, unknown> {
  readonly from: string;
  readonly to: string;
  readonly bucket: string;
  readonly state: 'begun' | 'done';
}

/**
 * Copies log, vault and files to empty stores, or continues an interrupted move of the same log. Everything is read back and compared; the source is not
 * changed. `settle` runs before the move is marked as done; until then no program starts on the target.
 * @throws MoveRefused, ServiceUnavailable, DiskFull
 */
export async function moveInstallation(
  from: MoveSource,
  to: MoveTarget,
  options: MoveOptions & { masterKey: string; recordKinds: RecordKinds; settle: (log: MovedLog) => Promise<void> },
): Promise<MovedInstallation> {
  await refuseRotationIn(from.vaultFile);
  if (!opensWith(from.vaultFile, options.masterKey))
    throw new MoveRefused('MASTER_KEY: not the key of this data folder; it is in DATA_DIR/master.key unless it was configured');
  await begin(from, to);
  options.report('copying the log');
  const log = await moveLog(from.eventStore, to.eventStore, options);
  const records = await readVault(from.vaultFile, (content) => moveVault(content, to.vault, { ...options, positions: log.positions }));
  const files = await moveFiles(from.blobs, to.blobs, options);
  await options.settle(log);
  await to.vault.put(MOVES.name, MOVES.id, markerOf(from, to, 'done'));
  return { log, records, files };
}

const markerOf = ({ eventStore }: MoveSource, to: MoveTarget, state: MoveMarker['state']): MoveMarker => ({
  from: eventStore.identity,
  to: to.eventStore.identity,
  bucket: to.bucket,
  state,
});

/** @throws MoveRefused when the target contains anything that this move did not copy */
async function begin(from: MoveSource, to: MoveTarget): Promise<void> {
  const { eventStore, vault, blobs, bucket } = to;
  await vault.declare({ name: MOVES.name });
  const marker = await vault.get<MoveMarker>(MOVES.name, MOVES.id);
  if (marker !== null) return refuseOtherMove(marker.body, markerOf(from, to, 'begun'));
  if ((await eventStore.head()) > 0) throw new MoveRefused('EVENTSTORE_URL: the target log already contains events');
  if (await hasMasterKey(vault)) throw new MoveRefused('MONGO_URL: the target vault already belongs to an installation');
  const [found] = await blobs.list('', { limit: 1 });
  if (found !== undefined) throw new MoveRefused(`S3_BUCKET: ${bucket} already contains files, such as ${found}`);
  if (!(await vault.insert(MOVES.name, MOVES.id, markerOf(from, to, 'begun')))) throw new MoveRefused('another move to these servers began at the same time');
}

/** A move can be continued only between the stores it began with, and not after it is done. */
function refuseOtherMove(marker: MoveMarker, mine: MoveMarker): void {
  if (marker.from !== mine.from) throw new MoveRefused('MONGO_URL: another log was moved to this vault');
  if (marker.to !== mine.to) throw new MoveRefused('EVENTSTORE_URL: this move began with another target log');
  if (marker.bucket !== mine.bucket) throw new MoveRefused(`S3_BUCKET: this move began with ${marker.bucket}`);
  if (marker.state === 'done') throw new MoveRefused('this log has already been moved; to move it again, empty the target log, vault and bucket');
}
