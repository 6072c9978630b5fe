import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Position } from '@roughmix/contracts/shared/ids.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { BLOBS, CLOCK, CONFIG, VAULT } from '../platform/tokens.js';
import type { Vault } from '../platform/vault/vault.js';

const COLLECTION = 'trash';
const DAY_MS = 24 * 60 * 60 * 1000;

/** A folder in the trash. */
export interface TrashedFolder {
  readonly id: string;
  readonly prefix: string;
}

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
    const folder = { id: idOf(prefix), prefix };
    await this.vault.put(COLLECTION, folder.id, { prefix, deleteAt: removedAt + this.config.TRASH_DAYS * DAY_MS, position });
    if (this.config.TRASH_DAYS === 0) await this.remove(folder);
  }

  /** Whether a file waits in the trash. */
  async holds(key: string): Promise<boolean> {
    const parts = key.split('/');
    for (let length = parts.length - 1; length > 0; length -= 1) {
      if ((await this.vault.get(COLLECTION, idOf(parts.slice(0, length).join('/')))) !== null) return true;
    }
    return false;
  }

  /** The folders that have waited long enough. */
  async due(): Promise<readonly TrashedFolder[]> {
    const found: TrashedFolder[] = [];
    for (let afterId = ''; ;) {
      const page = await this.vault.find<{ prefix: string; deleteAt: Instant }>(COLLECTION, { afterId, limit: 200 });
      found.push(...page.filter(({ body }) => body.deleteAt <= this.clock()).map(({ id, body }) => ({ id, prefix: body.prefix })));
      const last = page.at(-1);
      if (last === undefined) return found;
      afterId = last.id;
    }
  }

  /** Deletes a folder's files for good. */
  async remove({ id, prefix }: TrashedFolder): Promise<void> {
    await this.blobs.removePrefix(prefix);
    await this.vault.remove(COLLECTION, id);
  }
}

const idOf = (prefix: string): string => createHash('sha256').update(prefix).digest('hex');
