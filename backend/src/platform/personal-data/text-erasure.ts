import { Inject, Injectable } from '@nestjs/common';
import { DataKeys } from './data-keys.js';
import type { DocumentStore } from '../documents/documents.js';
import { DOCUMENTS, VAULT } from '../tokens.js';
import type { Vault } from '../vault/vault.js';

/** Makes texts unreadable for good: destroys their key and removes overwritten values from the files of the stores. */
@Injectable()
export class TextErasure {
  constructor(
    @Inject(DOCUMENTS) private readonly documents: DocumentStore,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly keys: DataKeys,
  ) {}

  /** Resolves when no process can show text of this key or of keys destroyed earlier. @param subject a stream's name: `user-<uid>`, `project-<id>` */
  destroyKey(subject: string): Promise<void> {
    return this.destroyKeys([subject]);
  }

  /** As {@link destroyKey}, for several keys at once. */
  async destroyKeys(subjects: readonly string[]): Promise<void> {
    for (const subject of subjects) await this.keys.destroy(subject);
    await this.keys.destroyedEverywhere();
  }

  async scrub(): Promise<void> {
    await this.documents.scrub();
    await this.vault.scrub();
  }
}
