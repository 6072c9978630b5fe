import { existsSync } from 'node:fs';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import { systemClock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { dropReadModels } from '../platform/documents/drop-read-models.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { type SettledHouse, SettleRefused, settleRestored } from '../platform/moving/settle-restored.js';
import { ErasureList, erasuresFileOf } from '../platform/personal-data/erasure-list.js';
import { missingIn } from '../platform/personal-data/noted-erasures.js';
import { openMongo, openVault } from '../platform/stores.js';
import type { Vault } from '../platform/vault/vault.js';
import { slices } from '../slices.js';
import { openServerLog } from './log-reading.js';
import { type Asked, type Operation, OperationError } from './operation.js';
import { settleData, settlingOf } from './settle-data.js';
import { UnansweredVersions } from './unanswered-versions.js';

const ERASED: keyof UserEvents = 'UserErased';
/** The reactor that answers to versions. */
const ANALYSES = 'analyse-version-when-added';
const PAGE = 500;

/** Completes a restore on servers, after log, vault and files were put back by the servers' own means. */
export const settle: Operation = {
  name: 'settle',
  about:
    'on servers, once EventStoreDB, vault and bucket were put back while every process is stopped: gives the log a new identity, drops the read models, brings the vault to where the log ends, erases again whom ERASURES_FILE names; everybody signs in anew',
  usage: '',
  options: {},
  async run(asked) {
    const { config } = asked;
    if (config.EVENTSTORE_URL === null || config.MONGO_URL === null)
      throw new OperationError('settle: is for a log and a vault on servers (EVENTSTORE_URL and MONGO_URL); for a data folder there is restore');
    const { identity, position, records } = await settled(asked);
    await asked.say(
      `the log ${identity} up to position ${position}; ${records.removed} records of the vault were left out, ${records.changed} stand further back`,
    );
    asked.tell('Start a projector first, then the others.');
    return 0;
  },
};

async function settled(asked: Asked): Promise<SettledHouse> {
  const closers: (() => Promise<void>)[] = [];
  try {
    return await settleAll(asked, closers);
  } catch (error) {
    if (error instanceof SettleRefused) throw new OperationError(`settle: ${error.message}`);
    if (asked.signal.aborted) throw new OperationError('settle: broken off; run it again');
    throw error;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

async function settleAll(asked: Asked, closers: (() => Promise<void>)[]): Promise<SettledHouse> {
  const { config } = asked;
  const { EVENTSTORE_URL } = config;
  const list = await keptList(config);
  const eventStore = await openServerLog(config);
  closers.push(() => eventStore.close());
  const mongo = await openMongo(config);
  if (EVENTSTORE_URL === null || mongo === null) throw new OperationError('settle: EVENTSTORE_URL and MONGO_URL to be set');
  closers.push(() => mongo.close());
  const vault = await openVault(config, mongo);
  closers.push(() => vault.close());
  const { renewIdentity } = await import('../platform/event-store/eventstoredb-identity.js');
  const house = {
    eventStore,
    vault,
    dropReadModels: () => dropReadModels(mongo),
    renewIdentity: (naming: { readonly id: string; readonly identity: string }) => renewIdentity(EVENTSTORE_URL, naming),
    lookThrough: () => lookThrough(list, { eventStore, vault }, asked.signal),
    finish: () => settleData(config, settlingOf(asked)),
  };
  return settleRestored(house, { ...settlingOf(asked), recordKinds: slices.recordKinds, clock: systemClock, masterKey: config.MASTER_KEY ?? '' });
}

const HELP = 'it says who was erased, and must be kept apart from the servers and their copies';

async function keptList(config: Config): Promise<ErasureList> {
  const file = erasuresFileOf(config);
  if (!existsSync(file))
    throw new OperationError(
      `settle: ERASURES_FILE: there is no ${file}; ${HELP}. Name the list that was kept; only if nobody ever was erased, make an empty one`,
    );
  return ErasureList.existing(file);
}

/** Whoever the log or the vault says was erased stands in the right list: one without them is another, or older than the log. A version without an answer is analysed again. */
async function lookThrough(
  list: ErasureList,
  { eventStore, vault }: { readonly eventStore: EventStore; readonly vault: Vault },
  signal: AbortSignal,
): Promise<Readonly<Record<string, Position>>> {
  // A vault that was copied after its log knows of more.
  if ((await missingIn(list, vault)).length > 0)
    throw new SettleRefused(`ERASURES_FILE: ${list.file} does not name somebody whom the vault says was erased; ${HELP}`);
  const named = new Set((await list.all()).map(({ uid }) => uid));
  const versions = new UnansweredVersions();
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const page = await eventStore.readAll({ after, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) return versions.after === null ? {} : { [ANALYSES]: versions.after };
    for (const event of page) versions.see(event);
    const missing = page.filter(({ type, data }) => type === ERASED && !named.has((data as UserEvents[typeof ERASED]).uid));
    if (missing.length > 0) throw new SettleRefused(`ERASURES_FILE: ${list.file} does not name somebody whom the log says was erased; ${HELP}`);
    after = last.position;
  }
}
