import { Inject, Injectable } from '@nestjs/common';
import type { BlobStore } from '../blobs/blobs.js';
import type { DocumentStore } from '../documents/documents.js';
import type { EventStore } from '../event-store/event-store.js';
import { BLOBS, DOCUMENTS, EVENT_STORE, VAULT } from '../tokens.js';
import type { Vault } from '../vault/vault.js';
import { Probe, type StoreState } from './probe.js';

export interface StoreStates {
  readonly log: StoreState;
  readonly vault: StoreState;
  readonly documents: StoreState;
  /** Whether the file store answers. Without it uploads and playback fail; everything else works. */
  readonly files: StoreState;
}

const COLLECTION = 'readiness';

/** Probes every store with a small write, and the file store with a request. */
@Injectable()
export class StoreProbes {
  private readonly log: Probe;
  private readonly vault: Probe;
  private readonly documents: Probe;
  private readonly files: Probe;

  constructor(@Inject(EVENT_STORE) log: EventStore, @Inject(VAULT) vault: Vault, @Inject(DOCUMENTS) documents: DocumentStore, @Inject(BLOBS) blobs: BlobStore) {
    this.log = new Probe(() => log.check());
    this.vault = new Probe(async () => {
      await vault.declare({ name: COLLECTION });
      await vault.put(COLLECTION, 'probe', {});
    });
    this.documents = new Probe(() => documents.setFact(COLLECTION, ''));
    this.files = new Probe(() => blobs.check());
  }

  async states(): Promise<StoreStates> {
    const [log, vault, documents, files] = await Promise.all([this.log.state(), this.vault.state(), this.documents.state(), this.files.state()]);
    return { log, vault, documents, files };
  }
}
