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

/** Counts the uploads of each place (person, project, purpose). An upload is given out only with a slot, and slots are taken one at a time, so that there are never more. */
export class UploadSlots {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: COLLECTION });
  }

  /** Gives an announced upload its slot; the oldest one whose bytes have not begun loses its own. @throws Refused `throttled` without a free one, `store.busy` */
  async take(place: string, uploadId: Id): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const slots = await this.vault.get<Slots>(COLLECTION, place);
      const standing = await this.standing(slots?.body.uploadIds ?? []);
      const oldest = standing.find(({ body }) => body.state === 'open');
      if (oldest !== undefined && !(await this.close(oldest))) continue;
      const kept = standing.filter(({ id }) => id !== oldest?.id).map(({ id }) => id);
      if (kept.length >= LIMITS.openUploads) throw new Refused('throttled');
      const body: Slots = { uploadIds: [...kept, uploadId] };
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

  private close({ id, version, body }: Upload): Promise<boolean> {
    return this.vault.replace(UPLOADS, id, version, { ...body, state: 'closed' });
  }
}
