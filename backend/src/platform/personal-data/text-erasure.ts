import { Inject, Injectable } from '@nestjs/common';
import { DataKeys } from './data-keys.js';
import type { DocumentStore } from '../documents/documents.js';
import { DOCUMENTS, VAULT } from '../tokens.js';
import type { Vault } from '../vault/vault.js';

/** Makes texts unreadable for good: their key goes, and what the stores overwrote is gone from their files. */
@Injectable()
export class TextErasure {
  constructor(
    @Inject(DOCUMENTS) private readonly documents: DocumentStore,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly keys: DataKeys,
  ) {}

  /** Resolves when no process can show what it sealed, nor what other keys sealed that were destroyed before. @param subject a stream's name: `user-<uid>`, `project-<id>` */
  async destroyKey(subject: string): Promise<void> {
    await this.keys.destroy(subject);
    await this.keys.destroyedEverywhere();
  }

  async scrub(): Promise<void> {
    await this.documents.scrub();
    await this.vault.scrub();
  }
}
