import { join } from 'node:path';
import type { BlobStore } from './blobs/blobs.js';
import { DiskBlobStore } from './blobs/disk-blob-store.js';
import type { S3Key } from './blobs/s3-client.js';
import type { Clock } from './clock.js';
import type { Config } from './config/config.js';
import type { DocumentStore } from './documents/documents.js';
import { EmbeddedDocumentStore } from './documents/embedded-document-store.js';
import { EmbeddedEventStore } from './event-store/embedded-event-store.js';
import type { EventStore } from './event-store/event-store.js';
import type { Mailer } from './mail/mailer.js';
import { OutboxFiles } from './mail/outbox-files.js';
import { OutboxMailer } from './mail/outbox-mailer.js';
import { senderOf } from './mail/sender.js';
import { SmtpMailer } from './mail/smtp-mailer.js';
import { measureLeader } from './metrics/measure-leader.js';
import type { Metrics } from './metrics/metrics.js';
import type { MongoConnection } from './mongo/mongo-connection.js';
import { refuseMoved } from './moving/moved-mark.js';
import type { WritingThreads } from './sqlite/writing-threads.js';
import { EmbeddedVault } from './vault/embedded-vault.js';
import type { Vault } from './vault/vault.js';
import type { Logger } from './logger.js';

/** The opened stores. */
export interface Stores {
  readonly eventStore: EventStore;
  readonly documents: DocumentStore;
  readonly blobs: BlobStore;
  readonly mailer: Mailer;
}

/** What the stores need; each adds a function to `closers`. */
export interface StoreDeps {
  readonly eventStore: EventStore;
  readonly mongo: MongoConnection | null;
  readonly uploadsKey: Buffer;
  readonly clock: Clock;
  readonly log: Logger;
  readonly threads?: WritingThreads | undefined;
  readonly closers: (() => Promise<void>)[];
}

// Clients of real servers are imported only if their address is set, so that the embedded default starts without them.

/** Opens the log, before everything else, so that a damaged one is refused before anything is written. @throws StoreDamaged, ServiceUnavailable */
export async function openLog(
  config: Config,
  log: Logger,
  { threads, metrics = null }: { readonly threads?: WritingThreads | undefined; readonly metrics?: Metrics | null } = {},
): Promise<EventStore> {
  const onTrouble = (message: string): void => log.error({}, message);
  if (config.EVENTSTORE_URL !== null) {
    const { EventStoreDbEventStore } = await import('./event-store/eventstoredb-event-store.js');
    return EventStoreDbEventStore.open({ url: config.EVENTSTORE_URL, onTrouble, ...(metrics && { leaderReport: measureLeader(metrics) }) });
  }
  refuseMoved(config.DATA_DIR);
  const eventStore = await EmbeddedEventStore.open({ file: join(config.DATA_DIR, 'log.db'), onTrouble, ...(threads && { threads }) });
  const { opened } = eventStore;
  if (opened.droppedBytes > 0) log.info(opened, 'an unfinished write at the end of the log was dropped');
  if (opened.missingBytes > 0) log.error(opened, 'the end of the log is missing: its write-ahead log was truncated after it had been synced');
  return eventStore;
}

/** The connection that read models and vault share; null if they are in DATA_DIR. @throws ServiceUnavailable */
export async function openMongo({ MONGO_URL }: Pick<Config, 'MONGO_URL'>): Promise<MongoConnection | null> {
  if (MONGO_URL === null) return null;
  const { MongoConnection } = await import('./mongo/mongo-connection.js');
  return MongoConnection.open({ url: MONGO_URL });
}

/** Opens the vault, before the other stores, because it contains their keys. @throws StoreDamaged, ServiceUnavailable */
export async function openVault(
  { DATA_DIR }: Pick<Config, 'DATA_DIR'>,
  mongo: MongoConnection | null,
  { log, threads }: Partial<Pick<StoreDeps, 'log' | 'threads'>> = {},
): Promise<Vault> {
  if (mongo === null) return EmbeddedVault.open({ file: join(DATA_DIR, 'vault.db'), threads, onTrouble: (message) => log?.error({ store: 'vault' }, message) });
  const { MongoVault } = await import('./vault/mongo-vault.js');
  return MongoVault.open({ connection: mongo });
}

/** Opens the read models, the files and the mail. @throws StoreDamaged, ServiceUnavailable */
export async function openStores(config: Config, { eventStore, mongo, closers, ...parts }: StoreDeps): Promise<Stores> {
  const documents = await openDocuments(config, mongo, parts);
  closers.push(() => documents.close());
  const blobs = await openBlobs(config, parts);
  closers.push(() => blobs.close());
  const mailer = await openMailer(config, parts.log);
  closers.push(() => mailer.close());
  return { eventStore, documents, blobs, mailer };
}

async function openDocuments(
  { DATA_DIR }: Pick<Config, 'DATA_DIR'>,
  mongo: MongoConnection | null,
  { log, threads }: Pick<StoreDeps, 'log' | 'threads'>,
): Promise<DocumentStore> {
  if (mongo === null) {
    return EmbeddedDocumentStore.open({
      file: join(DATA_DIR, 'read.db'),
      threads,
      onTrouble: (message) => log.error({ store: 'read models' }, message),
      onDropped: (reason) => log.info({ reason }, 'damaged read models were dropped and are being rebuilt'),
    });
  }
  const { MongoDocumentStore } = await import('./documents/mongo-document-store.js');
  return MongoDocumentStore.open({ connection: mongo });
}

/** Opens the file store. @throws ServiceUnavailable, BucketUnusable */
export async function openBlobs(config: Config, { uploadsKey, clock, log }: Pick<StoreDeps, 'uploadsKey' | 'clock' | 'log'>): Promise<BlobStore> {
  const { S3_ENDPOINT } = config;
  if (S3_ENDPOINT === null) {
    return DiskBlobStore.open({ folder: join(config.DATA_DIR, 'blobs'), signingKey: uploadsKey, publicPath: '/api/storage', clock });
  }
  const { S3BlobStore } = await import('./blobs/s3-blob-store.js');
  const blobs = await S3BlobStore.open({
    endpoint: S3_ENDPOINT,
    publicEndpoint: config.S3_PUBLIC_ENDPOINT ?? S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    key: keyOf(config),
    pageOrigin: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
    clock,
  });
  if (blobs.advice !== null) log.error({ advice: blobs.advice }, 'browsers cannot use the bucket yet');
  return blobs;
}

const keyOf = ({ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey }: Config): S3Key | null =>
  accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey };

async function openMailer(config: Config, log: Logger): Promise<Mailer> {
  const from = senderOf(config);
  const folder = join(config.DATA_DIR, 'outbox');
  if (config.SMTP_URL !== null) return new SmtpMailer({ url: config.SMTP_URL, from, files: new OutboxFiles(folder) });
  return OutboxMailer.open({ folder, from, logPath: (path) => log.info({ path }, 'e-mail written to the outbox') });
}
