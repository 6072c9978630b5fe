import { mkdir } from 'node:fs/promises';
import type { Provider } from '@nestjs/common';
import type { FieldClasses } from '@roughmix/contracts/shared/field-classes.js';
import type { Logger } from 'pino';
import type { Projector } from '../kernel/projector.js';
import type { Upcaster } from '../kernel/upcast.js';
import { openSecrets, type Secrets } from './auth/secrets.js';
import { VaultKeys } from './auth/vault-keys.js';
import { refuseUnfinished } from './backup/unfinished-restore.js';
import { systemClock } from './clock.js';
import type { Config } from './config/config.js';
import { DataKeys } from './personal-data/data-keys.js';
import { KeyEpoch } from './personal-data/key-epoch.js';
import { ErasureList, erasuresFileOf } from './personal-data/erasure-list.js';
import { MeasuredEventStore } from './metrics/measured-event-store.js';
import { MeasuredStreams } from './metrics/measured-streams.js';
import { Metrics } from './metrics/metrics.js';
import { OpenedEvents } from './streams/opened-events.js';
import { PersonalData } from './personal-data/personal-data.js';
import { ProjectionRunner } from './projections/projection-runner.js';
import { ReactorRunner } from './reactors/reactor-runner.js';
import { ReadModels } from './projections/read-models.js';
import { ReadSide } from './projections/read-side.js';
import { Snapshots } from './streams/snapshots.js';
import { openLog, openMongo, openStores, openVault, type Stores } from './stores.js';
import { openPublishing } from './stream-out/open-publishing.js';
import { StreamFolds } from './streams/stream-folds.js';
import { Streams } from './streams/streams.js';
import { BLOBS, CLOCK, CONFIG, DOCUMENTS, EVENT_STORE, LOG, MAILER, SECRETS, VAULT } from './tokens.js';
import { Uploads } from './uploads/uploads.js';
import type { Vault } from './vault/vault.js';
import { VERSION } from './version.js';

/** What the slices bring: their projectors, the class of every field of their events, and how old shapes become new ones. */
export interface Slices {
  readonly projectors: readonly Projector[];
  readonly fieldClasses: ReadonlyMap<string, FieldClasses>;
  readonly upcasters: readonly Upcaster[];
}

/** The program's ground: stores, streams and runners, ready to serve. */
export interface Platform extends Stores {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly vault: Vault;
  readonly vaultKeys: VaultKeys;
  readonly log: Logger;
  readonly streams: Streams;
  readonly reads: ReadModels;
  readonly readSide: ReadSide;
  readonly opened: OpenedEvents;
  readonly projections: ProjectionRunner;
  readonly reactors: ReactorRunner;
  readonly uploads: Uploads;
  readonly dataKeys: DataKeys;
  readonly erasures: ErasureList;
  /** Null when nobody asks for them: then nothing is measured. */
  readonly metrics: Metrics | null;
  close(): Promise<void>;
}

type Close = () => Promise<void>;

/** What was opened last is closed first. */
async function closeAll(closers: readonly Close[]): Promise<void> {
  for (const close of closers.toReversed()) await close();
}

/** Opens everything, catches the read models up with the log and follows it. What was opened is closed again when a later part fails. */
export async function openPlatform(config: Config, slices: Slices, log: Logger, { isRestoring = false } = {}): Promise<Platform> {
  if (!isRestoring) refuseUnfinished(config.DATA_DIR);
  const closers: Close[] = [];
  try {
    return await open(config, slices, { log, closers });
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

async function open(config: Config, slices: Slices, { log, closers }: { readonly log: Logger; readonly closers: Close[] }): Promise<Platform> {
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const erasures = await ErasureList.open(erasuresFileOf(config));
  const eventStore = await openLog(config, log);
  closers.push(() => eventStore.close());
  const mongo = await openMongo(config);
  if (mongo !== null) closers.push(() => mongo.close());
  const vault = await openVault(config, mongo);
  closers.push(() => vault.close());
  const secrets = await openSecrets(config, vault);
  const vaultKeys = await VaultKeys.open(vault, secrets.masterKey);
  const metrics = config.METRICS_PORT === null ? null : new Metrics({ version: VERSION });
  const stores = measured(await openStores(config, { eventStore, mongo, uploadsKey: vaultKeys.key('uploads'), clock: systemClock, log, closers }), metrics);
  const epoch = config.MONGO_URL === null ? null : await KeyEpoch.open(vault, secrets.masterKey);
  if (epoch !== null) closers.push(() => epoch.close());
  const dataKeys = await DataKeys.open(vault, secrets.masterKey, epoch);
  const personalData = new PersonalData(slices.fieldClasses, dataKeys);
  const opened = new OpenedEvents(personalData, slices.upcasters);
  const reads = new ReadModels(stores.documents);
  const snapshots = await Snapshots.open(stores.documents, stores.eventStore.identity, log, epoch);
  const folds = new StreamFolds(stores.eventStore, opened, snapshots, epoch);
  closers.push(() => {
    folds.keepForNextStart();
    return snapshots.close();
  });
  dataKeys.onDestroyed(() => folds.forgetAll());
  const streams = metrics === null ? new Streams(stores.eventStore, folds, personalData) : new MeasuredStreams(metrics, stores.eventStore, folds, personalData);
  const readSide = new ReadSide();
  const { eventStore: store, documents } = stores;
  const projections = new ProjectionRunner({ store, documents, reads, readSide, opened, log, graceMs: 0 });
  const reactors = new ReactorRunner(stores.eventStore, vault, opened, log);
  const publishing = await openPublishing(config, { store, vault, isKnown: (type) => personalData.knows(opened.newestType(type)), log });
  if (publishing !== null) {
    reactors.beside(publishing.loop);
    closers.push(() => publishing.close());
  }
  const uploads = new Uploads(vault, stores.blobs, systemClock);
  await uploads.declare();
  closers.push(async () => {
    await projections.stop();
    readSide.close();
  });
  await projections.start(slices.projectors);
  closers.push(() => reactors.stop());
  const close = (): Promise<void> => closeAll(closers);
  return {
    ...stores,
    config,
    secrets,
    vault,
    vaultKeys,
    log,
    streams,
    reads,
    readSide,
    opened,
    projections,
    reactors,
    uploads,
    dataKeys,
    erasures,
    metrics,
    close,
  };
}

const measured = (stores: Stores, metrics: Metrics | null): Stores =>
  metrics === null ? stores : { ...stores, eventStore: new MeasuredEventStore(stores.eventStore, metrics) };

/** The platform's parts as Nest injects them. */
export const platformProviders = (platform: Platform): Provider[] => [
  { provide: EVENT_STORE, useValue: platform.eventStore },
  { provide: DOCUMENTS, useValue: platform.documents },
  { provide: VAULT, useValue: platform.vault },
  { provide: BLOBS, useValue: platform.blobs },
  { provide: MAILER, useValue: platform.mailer },
  { provide: CONFIG, useValue: platform.config },
  { provide: SECRETS, useValue: platform.secrets },
  { provide: CLOCK, useValue: systemClock },
  { provide: LOG, useValue: platform.log },
  { provide: VaultKeys, useValue: platform.vaultKeys },
  { provide: Streams, useValue: platform.streams },
  { provide: ReadModels, useValue: platform.reads },
  { provide: ReadSide, useValue: platform.readSide },
  { provide: OpenedEvents, useValue: platform.opened },
  { provide: ProjectionRunner, useValue: platform.projections },
  { provide: ReactorRunner, useValue: platform.reactors },
  { provide: Uploads, useValue: platform.uploads },
  { provide: DataKeys, useValue: platform.dataKeys },
  { provide: ErasureList, useValue: platform.erasures },
];
