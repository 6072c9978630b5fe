import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { Refused } from '../../kernel/refusal.js';
import type { Clock } from '../clock.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { UPLOADS, type UploadRecord } from './upload-record.js';

type Slots = { readonly uploadIds: readonly Id[] };
type Upload = VaultRecord<UploadRecord>;

const COLLECTION = 'upload-slots';
/** How often somebody else may be faster. */
const ATTEMPTS = 20;

/** How long an upload that nobody sees coming is taken to be on its way, in milliseconds. */
const UNSEEN_MS = 5 * 60_000;

/** How many octets lie there for an upload, null for none. */
export type StoredSize = (uploadId: Id) => Promise<number | null>;

/**
 * Counts the uploads of each place (person, project, purpose). An upload is given out only with a slot, and slots are taken one at a time, so that there are never more.
 * Where PUTs come through this server (`storedSize` null), the record says whether one has begun, and one that has not makes room for the next.
 * Where they do not, none is closed: an upload holds its slot for its first five minutes and while its whole file lies there unused.
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

  /** Gives an announced upload its slot; the oldest one that is known not to have begun loses its own. @throws Refused `throttled` without a free one, `store.busy` */
  async take(place: string, uploadId: Id): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const slots = await this.vault.get<Slots>(COLLECTION, place);
      const standing = await this.standing(slots?.body.uploadIds ?? []);
      const oldest = this.storedSize === null ? standing.find(({ body }) => body.state === 'open') : undefined;
      if (oldest !== undefined && !(await this.close(oldest))) continue;
      const kept = standing.filter(({ id }) => id !== oldest?.id);
      if ((await this.holding(kept)) >= LIMITS.openUploads) throw new Refused('throttled');
      const body: Slots = { uploadIds: [...kept.map(({ id }) => id), uploadId] };
      const isMine = slots === null ? await this.vault.insert(COLLECTION, place, body) : await this.vault.replace(COLLECTION, place, slots.version, body);
      if (isMine) return;
    }
    throw new Refused('store.busy');
  }

  /** Forgets a place where nothing is on its way any more. */
  async tidy(place: string): Promise<void> {
    const slots = await this.vault.get<Slots>(COLLECTION, place);
    if (slots === null || (await this.standing(slots.body.uploadIds)).length > 0) return;
    await this.vault.remove(COLLECTION, place, slots.version);
  }

  /** Those that still wait for their bytes or their use, in the order announced. */
  private async standing(uploadIds: readonly Id[]): Promise<readonly Upload[]> {
    const found = await Promise.all(uploadIds.map((id) => this.vault.get<UploadRecord>(UPLOADS, id)));
    return found.filter((upload) => upload !== null && upload.body.state !== 'closed' && upload.body.expiresAt >= this.clock()) as readonly Upload[];
  }

  /** How many of them hold a slot; nothing is asked of the store while there are fewer than slots. */
  private async holding(uploads: readonly Upload[]): Promise<number> {
    const { storedSize } = this;
    if (storedSize === null || uploads.length < LIMITS.openUploads) return uploads.length;
    const held = await Promise.all(uploads.map((upload) => this.holds(upload, storedSize)));
    return held.filter(Boolean).length;
  }

  /** A file that was cut off is never whole any more. */
  private async holds({ id, body }: Upload, storedSize: StoredSize): Promise<boolean> {
    const size = await storedSize(id);
    return size === null ? body.createdAt + UNSEEN_MS > this.clock() : size === body.size;
  }

  private close({ id, version, body }: Upload): Promise<boolean> {
    return this.vault.replace(UPLOADS, id, version, { ...body, state: 'closed' });
  }
}
