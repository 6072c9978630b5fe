import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import { masterKeyFrom } from '../platform/auth/secrets.js';
import { DiskBlobStore } from '../platform/blobs/disk-blob-store.js';
import { systemClock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { EmbeddedEventStore } from '../platform/event-store/embedded-event-store.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { compareFolds, foldBy, type StreamFold } from '../platform/moving/compare-folds.js';
import { moveInstallation, type MovedInstallation } from '../platform/moving/move-installation.js';
import type { MovedLog } from '../platform/moving/move-log.js';
import { MoveRefused } from '../platform/moving/move-options.js';
import { markMoved, movedMarkOf } from '../platform/moving/moved-mark.js';
import { DataKeys } from '../platform/personal-data/data-keys.js';
import { erasuresFileOf } from '../platform/personal-data/erasure-list.js';
import { FieldSealer } from '../platform/personal-data/field-sealer.js';
import { openBlobs, openLog, openMongo, openVault } from '../platform/stores.js';
import { OpenedEvents } from '../platform/streams/opened-events.js';
import { StreamFolds } from '../platform/streams/stream-folds.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import type { Vault } from '../platform/vault/vault.js';
import { projectDecider } from '../projects/project.decider.js';
import { slices } from '../slices.js';
import { userDecider } from '../users/user.decider.js';
import { existingLog } from './log-file.js';
import { type OperationContext, type Operation, OperationError } from './operation.js';

const NEEDED = ['EVENTSTORE_URL', 'MONGO_URL', 'S3_ENDPOINT'] as const;

/** The fold for each kind of stream. */
const FOLDS: readonly (readonly [prefix: string, fold: StreamFold])[] = [
  ['project-', foldBy(projectDecider)],
  ['user-', foldBy(userDecider)],
];

const foldOf = (stream: string): StreamFold | null => FOLDS.find(([prefix]) => stream.startsWith(prefix))?.[1] ?? null;

/** Copies an installation from its data folder to the configured servers. */
export const move: Operation = {
  name: 'move',
  about:
    'copies log, vault and files of DATA_DIR to EVENTSTORE_URL, MONGO_URL and S3_ENDPOINT, which must be empty, and compares both completely; DATA_DIR is not changed',
  usage: '--from embedded --to eventstoredb',
  options: { from: { type: 'string' }, to: { type: 'string' } },
  async run(context) {
    const { config, values } = context;
    if (values['from'] !== 'embedded' || values['to'] !== 'eventstoredb') throw new OperationError('move: only --from embedded --to eventstoredb is supported');
    const missing = NEEDED.filter((name) => config[name] === null);
    if (missing.length > 0) throw new OperationError(`move: log, vault and files move together; set ${missing.join(' and ')}`);
    existingLog(config);
    const { log, records, files } = await moved(context);
    await context.print(
      `${log.events} events in ${log.streams.size} streams, ${records} records and ${files.files} files (${files.bytes} bytes) copied, read back and compared`,
    );
    await context.print(`SHA-256 of the log: ${log.sha256}`);
    context.log(`${config.DATA_DIR} is unchanged; ${movedMarkOf(config.DATA_DIR)} keeps the embedded program from starting on it.`);
    context.log(`Start with the same environment, the same MASTER_KEY, and the erasure list at ${erasuresFileOf(config)}.`);
    return 0;
  },
};

async function moved(context: OperationContext): Promise<MovedInstallation> {
  const closers: (() => Promise<void>)[] = [];
  try {
    return await moveAll(context, closers);
  } catch (error) {
    if (error instanceof MoveRefused) throw new OperationError(`move: ${error.message}`);
    if (context.signal.aborted) throw new OperationError('move: interrupted; run it again to continue');
    throw error;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

async function moveAll(context: OperationContext, closers: (() => Promise<void>)[]): Promise<MovedInstallation> {
  const { config, signal } = context;
  const report = (line: string): void => context.log(line);
  const opened = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    closers.push(() => part.close());
    return part;
  };
  const vaultFile = join(config.DATA_DIR, 'vault.db');
  const log = pino({ level: 'warn' }, process.stderr);
  const from = {
    eventStore: opened(await EmbeddedEventStore.open({ file: existingLog(config) })),
    vaultFile,
    vault: opened(await EmbeddedVault.open({ file: vaultFile })),
    blobs: opened(await DiskBlobStore.open({ folder: join(config.DATA_DIR, 'blobs'), signingKey: randomBytes(32), publicPath: '', clock: systemClock })),
  };
  const mongo = await openMongo(config);
  if (mongo !== null) opened(mongo);
  const to = {
    eventStore: opened(await openLog(config, log)),
    vault: opened(await openVault(config, mongo)),
    blobs: opened(await openBlobs(config, { uploadsKey: randomBytes(32), clock: systemClock, log })),
    bucket: `${config.S3_BUCKET} at ${config.S3_ENDPOINT ?? ''}`,
  };
  const masterKey = config.MASTER_KEY ?? '';
  const settle = async ({ streams }: MovedLog): Promise<void> => {
    const both = { from: await foldsOf(from, config), to: await foldsOf(to, config) };
    report(`${await compareFolds(streams, both, { foldOf, signal })} streams fold to the same state`);
    // Before any start on the servers: two installations must never continue the same log.
    await markMoved(config.DATA_DIR, 'The data in this folder was moved to the servers of EVENTSTORE_URL, MONGO_URL and S3_ENDPOINT.');
  };
  return moveInstallation(from, to, { masterKey, recordKinds: slices.recordKinds, settle, report, signal });
}

/** Folds of a log, decrypted with its vault's keys. */
async function foldsOf(
  { eventStore, vault }: { readonly eventStore: EventStore; readonly vault: Vault },
  { MASTER_KEY }: Pick<Config, 'MASTER_KEY'>,
): Promise<StreamFolds> {
  const dataKeys = await DataKeys.open(vault, masterKeyFrom(MASTER_KEY ?? ''));
  return new StreamFolds(eventStore, new OpenedEvents(new FieldSealer(slices.fieldClasses, dataKeys), slices.upcasters));
}
