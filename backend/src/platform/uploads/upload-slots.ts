import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { Refused } from '../../kernel/refusal.js';
import type { Clock } from '../clock.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { UPLOADS, type UploadRecord } from './upload-record.js';

type Slots = { readonly uploadIds: readonly Id[] };
type Upload = VaultRecord<UploadRecord>;

const COLLECTION = 'upload-slots';
/** How many competing writes are tolerated. */
const ATTEMPTS = 20;

/** How long an announced upload counts as in progress while nothing is stored. */
const UNSEEN_MS = 5 * 60_000;

/** The number of bytes stored for an upload, null for none. */
export type StoredSize = (uploadId: Id) => Promise<number | null>;

/**
 * Limits the open uploads of each group (user, project and purpose). Slots are taken by compare-and-swap, so concurrent requests cannot exceed the limit.
 * If this server receives the PUTs (`storedSize` is null), the record shows whether one has begun, and the oldest that has not is closed for the next one.
 * Otherwise none is closed: an upload holds its slot for five minutes, and while its complete file is stored unused.
 */
export class UploadSlots {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly storedSize: StoredSize | null,
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: COLLECTION });
  }

  /** Gives a slot to an announced upload, closing the oldest that has not begun. @throws Refused `throttled` if none is free, `store.busy` */
  async take(group: string, uploadId: Id): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const slots = await this.vault.get<Slots>(COLLECTION, group);
      const open = await this.open(slots?.body.uploadIds ?? []);
      const oldest = this.storedSize === null ? open.find(({ body }) => body.state === 'open') : undefined;
      if (oldest !== undefined && !(await this.close(oldest))) continue;
      const remaining = open.filter(({ id }) => id !== oldest?.id);
      if ((await this.holderCount(remaining)) >= LIMITS.openUploads) throw new Refused('throttled');
      const body: Slots = { uploadIds: [...remaining.map(({ id }) => id), uploadId] };
      const isTaken = slots === null ? await this.vault.insert(COLLECTION, group, body) : await this.vault.replace(COLLECTION, group, slots.version, body);
      if (isTaken) return;
    }
    throw new Refused('store.busy');
  }

  /** Removes the record of a group without open uploads. */
  async tidy(group: string): Promise<void> {
    const slots = await this.vault.get<Slots>(COLLECTION, group);
    if (slots === null || (await this.open(slots.body.uploadIds)).length > 0) return;
    await this.vault.remove(COLLECTION, group, slots.version);
  }

  /** Those neither used, closed nor expired, in the order announced. */
  private async open(uploadIds: readonly Id[]): Promise<readonly Upload[]> {
    const found = await Promise.all(uploadIds.map((id) => this.vault.get<UploadRecord>(UPLOADS, id)));
    return found.filter((upload) => upload !== null && upload.body.state !== 'closed' && upload.body.expiresAt >= this.clock()) as readonly Upload[];
  }

  /** How many of them hold a slot. Below the limit each counts, which saves requests to the file store. */
  private async holderCount(uploads: readonly Upload[]): Promise<number> {
    const { storedSize } = this;
    if (storedSize === null || uploads.length < LIMITS.openUploads) return uploads.length;
    const holders = await Promise.all(uploads.map((upload) => this.holds(upload, storedSize)));
    return holders.filter(Boolean).length;
  }

  /** A file of another size was cut off and can never be completed. */
  private async holds({ id, body }: Upload, storedSize: StoredSize): Promise<boolean> {
    const size = await storedSize(id);
    return size === null ? body.createdAt + UNSEEN_MS > this.clock() : size === body.size;
  }

  private close({ id, version, body }: Upload): Promise<boolean> {
    return this.vault.replace(UPLOADS, id, version, { ...body, state: 'closed' });
  }
}
