import { join } from 'node:path';
import type { BlobStore } from './blobs/blobs.js';
import { DiskBlobStore } from './blobs/disk-blob-store.js';
import type { Clock } from './clock.js';
import type { Config } from './config/config.js';
import type { DocumentStore } from './documents/documents.js';
import { EmbeddedDocumentStore } from './documents/embedded-document-store.js';
import { EmbeddedEventStore } from './event-store/embedded-event-store.js';
import type { EventStore } from './event-store/event-store.js';
import type { Mailer } from './mail/mailer.js';
import { OutboxMailer } from './mail/outbox-mailer.js';
import { SmtpMailer } from './mail/smtp-mailer.js';
import type { ProjectionLog } from './projections/projection-runner.js';
import { EmbeddedVault } from './vault/embedded-vault.js';
import type { Vault } from './vault/vault.js';

/** Everything that keeps data, opened. */
export interface Stores {
  readonly eventStore: EventStore;
  readonly documents: DocumentStore;
  readonly blobs: BlobStore;
  readonly mailer: Mailer;
}

/** The vault is opened before the others: their keys lie in it. */
export const openVault = (config: Config): Promise<Vault> => EmbeddedVault.open({ file: join(config.DATA_DIR, 'vault.db') });

/** What the stores need, and where they leave how they are closed. */
export interface StoreParts {
  readonly eventStore: EventStore;
  readonly uploadsKey: Buffer;
  readonly clock: Clock;
  readonly log: ProjectionLog;
  readonly closers: (() => Promise<void>)[];
}

/** The log is opened before everything else, so that a damaged one is refused while nothing has been written yet. @throws StoreDamaged, StoreAway */
export async function openLog(config: Config, log: ProjectionLog): Promise<EventStore> {
  const eventStore = await EmbeddedEventStore.open({ file: join(config.DATA_DIR, 'log.db'), onTrouble: (message) => log.error({}, message) });
  const { opened } = eventStore;
  if (opened.droppedBytes > 0) log.info(opened, 'an unfinished write at the end of the log was dropped');
  if (opened.missingBytes > 0) log.error(opened, 'the end of the log is missing: its write-ahead log was cut off after it had been synced');
  return eventStore;
}

/** Opens the read models, the files and the mail of the embedded default. @throws StoreDamaged, StoreAway */
export async function openStores(config: Config, { eventStore, uploadsKey, clock, log, closers }: StoreParts): Promise<Stores> {
  const documents = await EmbeddedDocumentStore.open({
    file: join(config.DATA_DIR, 'read.db'),
    onDropped: (reason) => log.info({ reason }, 'damaged read models were dropped: building them anew'),
  });
  closers.push(() => documents.close());
  const blobs = await DiskBlobStore.open({ folder: join(config.DATA_DIR, 'blobs'), signingKey: uploadsKey, publicPath: '/api/storage', clock });
  closers.push(() => blobs.close());
  const mailer = await openMailer(config, log);
  closers.push(() => mailer.close());
  return { eventStore, documents, blobs, mailer };
}

async function openMailer(config: Config, log: ProjectionLog): Promise<Mailer> {
  if (config.SMTP_URL !== null) return new SmtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  return OutboxMailer.open({ folder: join(config.DATA_DIR, 'outbox'), from: config.MAIL_FROM, logPath: (path) => log.info({ path }, 'letter written') });
}
