import { access, constants, mkdir } from 'node:fs/promises';
import type { Provider } from '@nestjs/common';
import type { Logger } from 'pino';
import { Passwords } from './auth/passwords.js';
import { openSecrets, refuseWrongMasterKey, type Secrets } from './auth/secrets.js';
import { VaultKeys } from './auth/vault-keys.js';
import { refuseUnfinished } from './backup/unfinished-restore.js';
import { startChild as startProcess, type StartChild } from './children/limited-child.js';
import { type Clock, systemClock } from './clock.js';
import { closeAfterFailure, closeAll } from './close-all.js';
import type { Config } from './config/config.js';
import { DataKeys } from './personal-data/data-keys.js';
import { SINGLE_PROCESS, KeyEpoch } from './personal-data/key-epoch.js';
import { ErasureList, erasuresFileOf } from './personal-data/erasure-list.js';
import { ErasureRegister } from './personal-data/erasure-register.js';
import { TextErasure } from './personal-data/text-erasure.js';
import { AnswerCache } from './http/answer-cache.js';
import { EmailDeliveryLoop } from './mail/email-delivery-loop.js';
import { EmailQueue } from './mail/email-queue.js';
import { MeasuredEventStore } from './metrics/measured-event-store.js';
import { MeasuredStreams } from './metrics/measured-streams.js';
import { Metrics } from './metrics/metrics.js';
import { OpenedEvents } from './streams/opened-events.js';
import { Images } from './images/images.js';
import { openRoles } from './open-roles.js';
import { refuseMissingLog, requireMatchingStores } from './moving/matching-stores.js';
import { refuseUnfinishedWork } from './moving/unfinished-work.js';
import { FieldSealer } from './personal-data/field-sealer.js';
import { ProjectorRole } from './projections/projector-role.js';
import { ReactorRole } from './reactors/reactor-role.js';
import { ReadModels } from './projections/read-models.js';
import { ReadSide } from './projections/read-side.js';
import type { Slices } from './slice.js';
import type { WritingThreads } from './sqlite/writing-threads.js';
import { SecurityLog } from './security/security-log.js';
import { Snapshots } from './streams/snapshots.js';
import { openLog, openMongo, openStores, openVault, type Stores } from './stores.js';
import { openPublishing } from './stream-out/open-publishing.js';
import { StreamFolds } from './streams/stream-folds.js';
import { Streams } from './streams/streams.js';
import { readableTypes, WrittenTypes } from './streams/written-types.js';
import { Timers } from './timers/timers.js';
import { tightenModes } from './tighten-modes.js';
import { BLOBS, CLOCK, CONFIG, DOCUMENTS, EVENT_STORE, LOG, MAILER, SECRETS, START_CHILD, VAULT } from './tokens.js';
import { UploadNames } from './uploads/upload-names.js';
import { Uploads } from './uploads/uploads.js';
import type { Vault } from './vault/vault.js';
import { BUILD } from './version.js';

/** Everything that the slices share: stores, streams and runners, opened and ready to serve. */
export interface Platform extends Stores {
  readonly config: Config;
  readonly slices: Slices;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly vault: Vault;
  readonly vaultKeys: VaultKeys;
  readonly log: Logger;
  readonly security: SecurityLog;
  readonly streams: Streams;
  readonly reads: ReadModels;
  readonly readSide: ReadSide;
  readonly answers: AnswerCache;
  readonly opened: OpenedEvents;
  readonly projections: ProjectorRole;
  readonly reactors: ReactorRole;
  readonly timers: Timers;
  readonly emailQueue: EmailQueue;
  readonly uploads: Uploads;
  readonly dataKeys: DataKeys;
  readonly passwords: Passwords;
  readonly startChild: StartChild;
  readonly erasures: ErasureRegister;
  /** Null without METRICS_PORT: nothing is measured then. */
  readonly metrics: Metrics | null;
  close(): Promise<void>;
}

/** How long a web process waits for read models before it listens. With the embedded stores they are ready already. */
const READ_MODELS_MS = 5_000;

/** What the stores open without. */
type Given = 'passwords' | 'security' | 'startChild';

export interface PlatformOptions extends Partial<Pick<Platform, 'clock' | Given>> {
  readonly isRestoring?: boolean;
  /** How long requests wait for read models, in milliseconds. */
  readonly maxWaitMs?: number;
  /** Where the embedded stores' writer threads come from; by default each file gets a new one. */
  readonly threads?: WritingThreads;
}

/** Opens everything, catches the read models up with the log and follows it. If a later part fails to open, the earlier ones are closed again. */
export async function openPlatform(config: Config, slices: Slices, log: Logger, options: PlatformOptions = {}): Promise<Platform> {
  const { isRestoring = false, clock = systemClock, maxWaitMs, threads } = options;
  const { passwords = new Passwords(), security = new SecurityLog({ config, clock }), startChild = startProcess } = options;
  if (!isRestoring) refuseUnfinished(config.DATA_DIR);
  const closers: OpenContext['closers'] = [];
  try {
    return { ...(await open(config, slices, { log, closers, clock, isRestoring, maxWaitMs, threads })), clock, passwords, security, startChild };
  } catch (error) {
    await closeAfterFailure(closers.toReversed(), log);
    throw error;
  }
}

/** Shared by everything that opens. */
interface OpenContext {
  readonly log: Logger;
  /** In the order of opening; closed in reverse. */
  readonly closers: (() => Promise<void>)[];
  readonly clock: Clock;
  /** A restore is being completed: no other process uses the stores. */
  readonly isRestoring: boolean;
  readonly maxWaitMs: number | undefined;
  readonly threads: WritingThreads | undefined;
}

async function open(config: Config, slices: Slices, context: OpenContext): Promise<Omit<Platform, 'clock' | Given>> {
  const { log, closers, clock } = context;
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
  // SQLite would not say why it cannot open a file.
  if (config.EVENTSTORE_URL === null || config.MONGO_URL === null) await access(config.DATA_DIR, constants.W_OK);
  await tightenModes(config.DATA_DIR, log);
  await refuseMissingLog(config);
  await refuseWrongMasterKey(config);
  const list = await ErasureList.open(erasuresFileOf(config));
  const base = await openBase(config, slices, context);
  const { stores, vault, opened, secrets, vaultKeys, dataKeys, metrics } = base;
  const erasures = await ErasureRegister.open({ list, ...base, log });
  closers.push(() => erasures.close());
  const streams = await openStreams(base, context);
  const timers = await Timers.open(vault);
  const parts = { store: stores.eventStore, documents: stores.documents, vault, timers, opened, log, clock, maxWaitMs: context.maxWaitMs };
  const { reads, projections, reactors } = await openRoles(config, slices, parts);
  const answers = new AnswerCache(reads, (outcome) => base.metrics?.answers.inc({ outcome }));
  base.dataKeys.onDestroyed(() => answers.clear());
  await publishBeside(reactors, config, base, context);
  const emailQueue = await deliverBeside(reactors, base, context);
  const uploads = new Uploads(vault, stores.blobs, clock, new UploadNames(vaultKeys.key('uploads')));
  await uploads.declare();
  closers.push(() => projections.stop());
  await projections.start(slices.projectors);
  const { readSide } = projections;
  if (config.ROLES.includes('web') && !(await readSide.servedWithin(READ_MODELS_MS))) {
    log.info({}, 'read models of this version are not available yet: requests that need them are refused with 503 until they are');
  }
  closers.push(() => reactors.stop());
  const runtime = { streams, reads, readSide, answers, opened, projections, reactors, timers, emailQueue, uploads, dataKeys, erasures, metrics };
  return { ...stores, ...runtime, config, slices, secrets, vault, vaultKeys, log, close: () => closeAll(closers.toReversed(), log) };
}

/** Opens the queue of e-mails, which the process that reacts delivers. */
async function deliverBeside(reactors: ReactorRole, { stores: { mailer }, vault, vaultKeys }: Base, { clock, log }: OpenContext): Promise<EmailQueue> {
  const emailQueue = await EmailQueue.open({ vault, clock, addressKey: vaultKeys.key('emails'), files: mailer.files });
  reactors.beside(new EmailDeliveryLoop({ emailQueue, mailer, clock, log }));
  return emailQueue;
}

/** The stores and the keys to their data. */
type Base = Awaited<ReturnType<typeof openBase>>;

async function openBase(config: Config, slices: Slices, { log, closers, clock, isRestoring, threads }: OpenContext) {
  const metrics = config.METRICS_PORT === null ? null : new Metrics(BUILD);
  const eventStore = await openLog(config, log, { threads, metrics });
  closers.push(() => eventStore.close());
  const mongo = await openMongo(config);
  if (mongo !== null) closers.push(() => mongo.close());
  const vault = await openVault(config, mongo, { log, threads });
  closers.push(() => vault.close());
  if (config.MONGO_URL !== null && !isRestoring) await refuseUnfinishedWork(vault);
  if (!isRestoring) await requireMatchingStores({ eventStore, vault, config });
  const written = await WrittenTypes.open(vault, readableTypes(slices));
  const secrets = await openSecrets(config, vault);
  const vaultKeys = await VaultKeys.open(vault, secrets.masterKey);
  const stores = measured(await openStores(config, { eventStore, mongo, uploadsKey: vaultKeys.key('uploads'), clock, log, threads, closers }), metrics);
  const epoch = config.MONGO_URL === null ? null : await KeyEpoch.open(vault, secrets.masterKey, ...(isRestoring ? [SINGLE_PROCESS] : []));
  if (epoch !== null) closers.push(() => epoch.close());
  const dataKeys = await DataKeys.open(vault, secrets.masterKey, epoch);
  const sealer = new FieldSealer(slices.fieldClasses, dataKeys);
  return { stores, written, vault, secrets, vaultKeys, metrics, epoch, dataKeys, sealer, opened: new OpenedEvents(sealer, slices.upcasters) };
}

async function openStreams({ stores, written, metrics, epoch, dataKeys, sealer, opened }: Base, { log, closers }: OpenContext): Promise<Streams> {
  const { eventStore, documents } = stores;
  const snapshots = await Snapshots.open(documents, eventStore.identity, log, { epoch });
  const folds = new StreamFolds(eventStore, opened, snapshots, epoch);
  closers.push(() => {
    folds.keepForNextStart();
    return snapshots.close();
  });
  dataKeys.onDestroyed(() => folds.forgetAll());
  const recording = written.before(eventStore);
  return metrics === null ? new Streams(recording, folds, sealer) : new MeasuredStreams(metrics, recording, folds, sealer);
}

async function publishBeside(reactors: ReactorRole, config: Config, { stores, vault, sealer, opened }: Base, { log, closers }: OpenContext): Promise<void> {
  const isKnown = (type: string): boolean => sealer.knows(opened.newestType(type));
  const publishing = await openPublishing(config, { store: stores.eventStore, vault, isKnown, log });
  if (publishing === null) return;
  reactors.beside(publishing.loop);
  closers.push(() => publishing.close());
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
  { provide: CLOCK, useValue: platform.clock },
  { provide: LOG, useValue: platform.log },
  { provide: SecurityLog, useValue: platform.security },
  { provide: VaultKeys, useValue: platform.vaultKeys },
  { provide: Streams, useValue: platform.streams },
  { provide: ReadModels, useValue: platform.reads },
  { provide: ReadSide, useValue: platform.readSide },
  { provide: AnswerCache, useValue: platform.answers },
  { provide: OpenedEvents, useValue: platform.opened },
  { provide: ProjectorRole, useValue: platform.projections },
  { provide: ReactorRole, useValue: platform.reactors },
  { provide: Timers, useValue: platform.timers },
  { provide: EmailQueue, useValue: platform.emailQueue },
  { provide: Uploads, useValue: platform.uploads },
  { provide: DataKeys, useValue: platform.dataKeys },
  { provide: Passwords, useValue: platform.passwords },
  { provide: START_CHILD, useValue: platform.startChild },
  { provide: ErasureRegister, useValue: platform.erasures },
  Images,
  TextErasure,
];
