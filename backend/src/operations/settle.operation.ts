import { existsSync } from 'node:fs';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import { systemClock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { dropReadModels } from '../platform/documents/drop-read-models.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { type SettledInstallation, SettleRefused, settleRestored } from '../platform/moving/settle-restored.js';
import { ErasureList, erasuresFileOf } from '../platform/personal-data/erasure-list.js';
import { missingFromList } from '../platform/personal-data/erasure-register.js';
import { openMongo, openVault } from '../platform/stores.js';
import { readableTypes } from '../platform/streams/written-types.js';
import type { Vault } from '../platform/vault/vault.js';
import { slices } from '../slices.js';
import { openServerLog } from './read-only-log.js';
import { type OperationContext, type Operation, OperationError } from './operation.js';
import { finishRestore, progressOptions } from './finish-restore.js';
import { PendingAnalyses } from './pending-analyses.js';

const ERASED: keyof UserEvents = 'UserErased';
/** The reactor that analyses versions. */
const ANALYSES = 'analyse-version-when-added';
const PAGE = 500;

/** Completes a restore on servers, after log, vault and files were restored with the servers' own tools. */
export const settle: Operation = {
  name: 'settle',
  about:
    'completes a restore on servers, after EventStoreDB, vault and bucket were restored, while every process is stopped: gives the log a new identity, drops the read models, rolls the vault back to the end of the log, erases users listed in ERASURES_FILE again; all sessions end',
  usage: '',
  options: {},
  async run(context) {
    const { config } = context;
    if (config.EVENTSTORE_URL === null || config.MONGO_URL === null)
      throw new OperationError('settle: only for log and vault on servers (EVENTSTORE_URL and MONGO_URL); for a data folder use restore');
    const { identity, position, records } = await completeRestore(context);
    context.security.record('backup.restored', { target: null });
    await context.print(`the log ${identity} up to position ${position}; ${records.removed} vault records removed, ${records.changed} rolled back`);
    context.log('Start a projector first, then the other processes.');
    return 0;
  },
};

async function completeRestore(context: OperationContext): Promise<SettledInstallation> {
  const closers: (() => Promise<void>)[] = [];
  try {
    return await completeAll(context, closers);
  } catch (error) {
    if (error instanceof SettleRefused) throw new OperationError(`settle: ${error.message}`);
    if (context.signal.aborted) throw new OperationError('settle: interrupted; run it again');
    throw error;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

async function completeAll(context: OperationContext, closers: (() => Promise<void>)[]): Promise<SettledInstallation> {
  const { config } = context;
  const { EVENTSTORE_URL } = config;
  const list = await openErasureList(config);
  const eventStore = await openServerLog(config);
  closers.push(() => eventStore.close());
  const mongo = await openMongo(config);
  if (EVENTSTORE_URL === null || mongo === null) throw new OperationError('settle: set EVENTSTORE_URL and MONGO_URL');
  closers.push(() => mongo.close());
  const vault = await openVault(config, mongo);
  closers.push(() => vault.close());
  const { renewIdentity } = await import('../platform/event-store/eventstoredb-identity.js');
  const installation = {
    eventStore,
    vault,
    dropReadModels: () => dropReadModels(mongo),
    renewIdentity: (naming: { readonly id: string; readonly identity: string }) => renewIdentity(EVENTSTORE_URL, naming),
    scanLog: () => scanLog(list, { eventStore, vault }, context.signal),
    finish: () => finishRestore(config, progressOptions(context)),
  };
  return settleRestored(installation, {
    ...progressOptions(context),
    recordKinds: slices.recordKinds,
    readable: readableTypes(slices),
    clock: systemClock,
    masterKey: config.MASTER_KEY ?? '',
  });
}

const HELP = 'it lists erased users and must be stored apart from the servers and their backups';

async function openErasureList(config: Config): Promise<ErasureList> {
  const file = erasuresFileOf(config);
  if (!existsSync(file))
    throw new OperationError(
      `settle: ERASURES_FILE: ${file} does not exist; ${HELP}. Name the saved list; create an empty one only if no user was ever erased`,
    );
  return ErasureList.existing(file);
}

/** Checks that the list names every user recorded as erased in the log or the vault; otherwise it is the wrong list, or older than the log. @returns where analysis must resume */
async function scanLog(
  list: ErasureList,
  { eventStore, vault }: { readonly eventStore: EventStore; readonly vault: Vault },
  signal: AbortSignal,
): Promise<Readonly<Record<string, Position>>> {
  // A vault that was copied after its log contains more erasures.
  if ((await missingFromList(list, vault)).length > 0)
    throw new SettleRefused(`ERASURES_FILE: ${list.file} is missing a user recorded as erased in the vault; ${HELP}`);
  const named = new Set((await list.all()).map(({ uid }) => uid));
  const versions = new PendingAnalyses();
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const page = await eventStore.readAll({ after, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) return versions.after === null ? {} : { [ANALYSES]: versions.after };
    for (const event of page) versions.see(event);
    const missing = page.filter(({ type, data }) => type === ERASED && !named.has((data as UserEvents[typeof ERASED]).uid));
    if (missing.length > 0) throw new SettleRefused(`ERASURES_FILE: ${list.file} is missing a user recorded as erased in the log; ${HELP}`);
    after = last.position;
  }
}
