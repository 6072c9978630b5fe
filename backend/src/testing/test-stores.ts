import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskBlobStore } from '../platform/blobs/disk-blob-store.js';
import { DataKeys } from '../platform/personal-data/data-keys.js';
import { EmbeddedDocumentStore } from '../platform/documents/embedded-document-store.js';
import type { Term } from '../platform/leases/lease.js';
import { EmbeddedEventStore } from '../platform/event-store/embedded-event-store.js';
import { OpenedEvents } from '../platform/streams/opened-events.js';
import { FieldSealer } from '../platform/personal-data/field-sealer.js';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { StreamFolds } from '../platform/streams/stream-folds.js';
import { Streams } from '../platform/streams/streams.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import { slices } from '../slices.js';
import { REUSED_THREADS } from './reused-threads.js';
import { SLOW_MACHINE_MS } from './slow-machine.js';

/** One logged line. */
export interface LogEntry {
  readonly level: 'info' | 'error';
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The real embedded stores in a temporary folder, and the services built directly on them. */
export interface TestStores {
  readonly folder: string;
  readonly store: EmbeddedEventStore;
  readonly vault: EmbeddedVault;
  readonly documents: EmbeddedDocumentStore;
  readonly blobs: DiskBlobStore;
  readonly dataKeys: DataKeys;
  readonly sealer: FieldSealer;
  readonly opened: OpenedEvents;
  readonly reads: ReadModels;
  readonly log: { info(facts: object, message: string): void; error(facts: object, message: string): void };
  /** Everything logged, oldest first. */
  readonly logged: readonly LogEntry[];
  /** The clock of all stores and services. */
  readonly time: { now: number };
  /** Streams with an empty fold cache, as another or a restarted process has them. */
  streams(): Streams;
  /** A runner with its own read side (`deps.readSide`), as another or a restarted process has it. */
  projections(term?: Term): ProjectionRunner;
  /** A further read model file, empty if the name is new. */
  otherDocuments(name: string): Promise<EmbeddedDocumentStore>;
  close(): Promise<void>;
}

export async function openTestStores(): Promise<TestStores> {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-stores-'));
  const time = { now: 1_700_000_000_000 };
  const logged: LogEntry[] = [];
  const note = (level: LogEntry['level']) => (facts: object, message: string) => void logged.push({ level, message, facts: { ...facts } });
  const log = { info: note('info'), error: note('error') };
  const store = await EmbeddedEventStore.open({ file: join(folder, 'log.db'), threads: REUSED_THREADS });
  const vault = await EmbeddedVault.open({ file: join(folder, 'vault.db'), threads: REUSED_THREADS });
  const documents = await EmbeddedDocumentStore.open({ file: join(folder, 'read.db'), threads: REUSED_THREADS });
  const blobs = await DiskBlobStore.open({ folder: join(folder, 'blobs'), signingKey: randomBytes(32), publicPath: '/api/storage', clock: () => time.now });
  const dataKeys = await DataKeys.open(vault, randomBytes(32));
  const sealer = new FieldSealer(slices.fieldClasses, dataKeys);
  const opened = new OpenedEvents(sealer, slices.upcasters);
  const reads = new ReadModels(documents);
  const others: EmbeddedDocumentStore[] = [];
  const close = async (): Promise<void> => {
    for (const each of [store, vault, documents, blobs, ...others]) await each.close();
    await rm(folder, { recursive: true });
  };
  return {
    folder,
    store,
    vault,
    documents,
    blobs,
    dataKeys,
    sealer,
    opened,
    reads,
    log,
    logged,
    time,
    close,
    streams: () => new Streams(store, new StreamFolds(store, opened), sealer),
    projections: (term) => new ProjectionRunner({ store, documents, reads, readSide: new ReadSide(undefined, SLOW_MACHINE_MS), opened, log, graceMs: 0 }, term),
    async otherDocuments(name) {
      const other = await EmbeddedDocumentStore.open({ file: join(folder, name), threads: REUSED_THREADS });
      others.push(other);
      return other;
    },
  };
}
