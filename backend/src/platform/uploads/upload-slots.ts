import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { Refused } from '../../kernel/refusal.js';
import type { Clock } from '../clock.js';
import { PersonalTurns } from '../personal-turns.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { UPLOADS, type UploadRecord } from './upload-record.js';

type Slots = { readonly uploadIds: readonly Id[] };
type Upload = VaultRecord<UploadRecord>;

const COLLECTION = 'upload-slots';
const PAGE = 500;
/** How many competing writes are tolerated. */
const ATTEMPTS = 20;

/** How long an announced upload counts as in progress while nothing is stored. */
const UNSEEN_MS = 5 * 60_000;

/** The number of bytes stored for an upload, null for none. */
export type StoredSize = (uploadId: Id) => Promise<number | null>;

/** Refuses, by throwing, if a user may not have this many bytes in uploads. */
export type AllowBytes = (bytes: number) => Promise<void>;

const bytesIn = (uploads: readonly Upload[]): number => uploads.reduce((sum, { body }) => sum + body.size, 0);

/**
 * Limits the open uploads of each user, and of each group (user, project and purpose). Slots are taken by compare-and-swap, so concurrent requests cannot
 * exceed a limit. If this server receives the PUTs (`storedSize` is null), the record shows which uploads have started, and a new one closes the
 * oldest of its group that has not. Otherwise none is closed: an upload holds its slot for five minutes, and while its complete file is stored unused.
 */
export class UploadSlots {
  private readonly turns = new PersonalTurns();

  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly storedSize: StoredSize | null,
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: COLLECTION });
    await this.removeOfGroups();
  }

  /** Gives a slot to an announced upload, closing the oldest of its group that has not started. @throws Refused `throttled` if none is free, `store.busy`; what `allow` throws */
  take(uploadId: Id, upload: UploadRecord, allow: AllowBytes): Promise<void> {
    // Turns keep the requests of one process from competing.
    return this.turns.run(upload.uid, () => this.takeInTurn(uploadId, upload, allow));
  }

  /** The bytes of a user's uploads: those that have not started count until they expire, the others until they are used or swept. */
  async bytesOf(uid: Uid): Promise<number> {
    return bytesIn(await this.kept((await this.vault.get<Slots>(COLLECTION, uid))?.body.uploadIds ?? []));
  }

  /** Removes the record of a user without uploads. */
  async tidy(uid: Uid): Promise<void> {
    const slots = await this.vault.get<Slots>(COLLECTION, uid);
    if (slots === null || (await this.kept(slots.body.uploadIds)).length > 0) return;
    await this.vault.remove(COLLECTION, uid, slots.version);
  }

  /** Removes the records of earlier versions, which had one for each group under an id with slashes. They hold ids only, and nothing reads them. */
  private async removeOfGroups(): Promise<void> {
    for (let afterId = ''; ;) {
      const page = await this.vault.find(COLLECTION, { afterId, limit: PAGE });
      for (const { id } of page) if (id.includes('/')) await this.vault.remove(COLLECTION, id);
      const last = page.at(-1);
      if (last === undefined) return;
      afterId = last.id;
    }
  }

  private async takeInTurn(uploadId: Id, { uid, place, size }: UploadRecord, allow: AllowBytes): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const slots = await this.vault.get<Slots>(COLLECTION, uid);
      const kept = await this.kept(slots?.body.uploadIds ?? []);
      // Only a group's own: a user with uploads in many projects loses none.
      const superseded = this.storedSize === null ? kept.find(({ body }) => body.place === place && body.state === 'open') : undefined;
      const remaining = kept.filter((upload) => upload !== superseded);
      await this.requireFree(remaining, place);
      await allow(bytesIn(remaining) + size);
      if (superseded !== undefined && !(await this.close(superseded))) continue;
      const body: Slots = { uploadIds: [...remaining.map(({ id }) => id), uploadId] };
      const isTaken = slots === null ? await this.vault.insert(COLLECTION, uid, body) : await this.vault.replace(COLLECTION, uid, slots.version, body);
      if (isTaken) return;
    }
    throw new Refused('store.busy');
  }

  /** Those whose file is or may be stored, in the order announced: until they are used, closed or swept. */
  private async kept(uploadIds: readonly Id[]): Promise<readonly Upload[]> {
    const found = await Promise.all(uploadIds.map((id) => this.vault.get<UploadRecord>(UPLOADS, id)));
    return found.filter((upload) => upload !== null && this.mayBeStored(upload.body)) as readonly Upload[];
  }

  private mayBeStored(upload: UploadRecord): boolean {
    const mayHaveStarted = upload.state !== 'open' || this.storedSize !== null;
    return upload.state !== 'closed' && (mayHaveStarted || !this.hasExpired(upload));
  }

  private hasExpired({ expiresAt }: UploadRecord): boolean {
    return expiresAt < this.clock();
  }

  /** @throws Refused `throttled` */
  private async requireFree(uploads: readonly Upload[], place: string): Promise<void> {
    const open = uploads.filter(({ body }) => !this.hasExpired(body));
    await this.requireFewer(
      open.filter(({ body }) => body.place === place),
      LIMITS.openUploads,
    );
    await this.requireFewer(open, LIMITS.openUploadsPerAccount);
  }

  /** Below the limit each upload counts, which saves requests to the file store. */
  private async requireFewer(uploads: readonly Upload[], limit: number): Promise<void> {
    if (uploads.length < limit) return;
    const { storedSize } = this;
    const holders = storedSize === null ? uploads.map(() => true) : await Promise.all(uploads.map((upload) => this.holds(upload, storedSize)));
    if (holders.filter(Boolean).length >= limit) throw new Refused('throttled');
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
