import { Inject, Injectable } from '@nestjs/common';
import type { DocumentStore } from '../documents/documents.js';
import type { EventStore } from '../event-store/event-store.js';
import { DOCUMENTS, EVENT_STORE, VAULT } from '../tokens.js';
import type { Vault } from '../vault/vault.js';
import { Probe, type StoreState } from './probe.js';

/** Whether each store takes writes. */
export interface StoreStates {
  readonly log: StoreState;
  readonly vault: StoreState;
  readonly documents: StoreState;
}

const COLLECTION = 'readiness';

/** Asks every store by a small write of its own. */
@Injectable()
export class StoreProbes {
  private readonly log: Probe;
  private readonly vault: Probe;
  private readonly documents: Probe;

  constructor(@Inject(EVENT_STORE) log: EventStore, @Inject(VAULT) vault: Vault, @Inject(DOCUMENTS) documents: DocumentStore) {
    this.log = new Probe(() => log.check());
    this.vault = new Probe(async () => {
      await vault.declare({ name: COLLECTION });
      await vault.put(COLLECTION, 'probe', {});
    });
    this.documents = new Probe(() => documents.setFact(COLLECTION, ''));
  }

  async states(): Promise<StoreStates> {
    const [log, vault, documents] = await Promise.all([this.log.state(), this.vault.state(), this.documents.state()]);
    return { log, vault, documents };
  }
}
