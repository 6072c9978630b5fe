import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Position } from '@roughmix/contracts/shared/ids.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { Config } from '../platform/config/config.js';
import { Timers } from '../platform/timers/timers.js';
import { BLOBS, CONFIG, VAULT } from '../platform/tokens.js';
import type { Vault, VaultRecord } from '../platform/vault/vault.js';

const COLLECTION = 'trash';
const PAGE = 200;
/** The kind of the timers that empty the trash. */
export const TRASH_TIMERS = 'delete-trashed-files';
const DAY_MS = 24 * 60 * 60 * 1000;

/** A folder in the trash. */
export interface TrashedFolder {
  readonly id: string;
  readonly prefix: string;
}

interface TrashRecord extends Record<string, unknown> {
  readonly prefix: string;
  readonly deleteAt: Instant;
  readonly position: Position;
}

/** Files of removed items. They keep their place until a timer deletes them after TRASH_DAYS. */
@Injectable()
export class Trash {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: Config,
    private readonly timers: Timers,
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: COLLECTION });
  }

  /** Schedules everything below a folder for deletion TRASH_DAYS after its removal, or deletes it immediately if that is 0. `position`: the removal's position in the log. */
  async put(prefix: string, removedAt: Instant, position: Position): Promise<void> {
    const folder = { id: idOf(prefix), prefix };
    const deleteAt = removedAt + this.config.TRASH_DAYS * DAY_MS;
    await this.vault.put(COLLECTION, folder.id, { prefix, deleteAt, position } satisfies TrashRecord);
    if (this.config.TRASH_DAYS === 0) await this.remove(folder);
    else await this.schedule(folder.id, { deleteAt, position });
  }

  /** Sets missing timers: folders from an earlier version, or from a restored copy of the vault, may have none. */
  async setMissing(): Promise<void> {
    for await (const { id, body } of this.all()) await this.schedule(id, body);
  }

  /** Whether a file is in the trash. */
  async holds(key: string): Promise<boolean> {
    const parts = key.split('/');
    for (let length = parts.length - 1; length > 0; length -= 1) {
      if ((await this.vault.get(COLLECTION, idOf(parts.slice(0, length).join('/')))) !== null) return true;
    }
    return false;
  }

  /** The folders that are due at an instant. */
  async due(now: Instant): Promise<readonly TrashedFolder[]> {
    const found: TrashedFolder[] = [];
    for await (const { id, body } of this.all()) if (body.deleteAt <= now) found.push({ id, prefix: body.prefix });
    return found;
  }

  /** Deletes a folder's files unless it is due later than `at`: then it was trashed again and has a newer timer. */
  async removeIfDue(id: string, at: Instant): Promise<void> {
    const record = await this.vault.get<TrashRecord>(COLLECTION, id);
    if (record !== null && record.body.deleteAt <= at) await this.remove({ id, prefix: record.body.prefix });
  }

  /** Deletes a folder's files permanently. */
  async remove({ id, prefix }: TrashedFolder): Promise<void> {
    await this.blobs.removePrefix(prefix);
    await this.vault.remove(COLLECTION, id);
  }

  private schedule(id: string, { deleteAt, position }: Pick<TrashRecord, 'deleteAt' | 'position'>): Promise<void> {
    return this.timers.set({ kind: TRASH_TIMERS, key: id, at: deleteAt, position });
  }

  private async *all(): AsyncGenerator<VaultRecord<TrashRecord>> {
    for (let afterId = ''; ;) {
      const page = await this.vault.find<TrashRecord>(COLLECTION, { afterId, limit: PAGE });
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      afterId = last.id;
    }
  }
}

const idOf = (prefix: string): string => createHash('sha256').update(prefix).digest('hex');
