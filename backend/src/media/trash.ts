import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Position } from '@roughmix/contracts/shared/ids.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config.js';
import { BLOBS, CLOCK, CONFIG, VAULT } from '../platform/tokens.js';
import type { Vault } from '../platform/vault/vault.js';

const COLLECTION = 'trash';
const DAY_MS = 24 * 60 * 60 * 1000;

/** Files of removed things: they stay where they are until their time has come. */
@Injectable()
export class Trash {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: COLLECTION });
  }

  /** Everything below a folder goes once TRASH_DAYS have passed since it was removed; at once when there are none. `position`: of the removal in the log. */
  async put(prefix: string, removedAt: Instant, position: Position): Promise<void> {
    const id = createHash('sha256').update(prefix).digest('hex');
    await this.vault.put(COLLECTION, id, { prefix, deleteAt: removedAt + this.config.TRASH_DAYS * DAY_MS, position });
    if (this.config.TRASH_DAYS === 0) await this.empty();
  }

  /** Deletes what has waited long enough. */
  async empty(): Promise<void> {
    for (let afterId = ''; ;) {
      const page = await this.vault.find<{ prefix: string; deleteAt: Instant }>(COLLECTION, { afterId, limit: 200 });
      for (const { id, body } of page) {
        if (body.deleteAt > this.clock()) continue;
        await this.blobs.removePrefix(body.prefix);
        await this.vault.remove(COLLECTION, id);
      }
      const last = page.at(-1);
      if (last === undefined) return;
      afterId = last.id;
    }
  }
}
