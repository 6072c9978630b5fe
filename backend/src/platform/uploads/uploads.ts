import { Inject, Injectable } from '@nestjs/common';
import type { NewUploadAnswer } from '@roughmix/contracts/media/upload.api.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { Refused } from '../../kernel/refusal.js';
import { BlobMissing, type BlobStore } from '../blobs/blobs.js';
import type { Clock } from '../clock.js';
import { newId } from '../ids.js';
import { BLOBS, CLOCK, VAULT } from '../tokens.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { UploadSlots } from './upload-slots.js';
import { UPLOADS, type UploadRecord, type UploadRequest } from './upload-record.js';

/** A file that arrived and waits to be used. */
export interface ArrivedUpload {
  readonly uploadId: Id;
  readonly record: UploadRecord;
  /** Where its bytes lie now. */
  readonly key: string;
}

/** What browsers say of every upload, so that nothing depends on what they guess. */
const CONTENT_TYPE = 'application/octet-stream';
/** How long the use of a file may take: probing, moving, appending; and how far the clock of the server that sweeps may be ahead. Only then is it swept. */
const USE_MS = 15 * 60_000;

export const uploadKey = (uploadId: Id): string => `uploads/${uploadId}`;
const placeOf = (upload: Pick<UploadRequest, 'uid' | 'projectId' | 'purpose'>): string => `${upload.uid}/${upload.projectId}/${upload.purpose}`;

/** Files on their way in: announced, put by the browser at a signed address, then used by a command. */
@Injectable()
export class Uploads {
  private readonly slots: UploadSlots;

  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.slots = new UploadSlots(vault, clock, blobs.seesPuts ? null : async (uploadId) => (await blobs.head(uploadKey(uploadId)))?.size ?? null);
  }

  async declare(): Promise<void> {
    await this.vault.declare({ name: UPLOADS, indexes: ['place'] });
    await this.slots.declare();
  }

  /** Closes the oldest upload of that kind that is known not to have begun. @throws Refused `throttled` while ten are filled or on their way, StoreAway */
  async announce(request: UploadRequest): Promise<NewUploadAnswer> {
    // Nobody is sent to a server that does not answer, nor loses a slot to it.
    if (!this.blobs.seesPuts) await this.blobs.check();
    const uploadId = newId();
    const expiresAt = this.clock() + LIMITS.uploadMinutes * 60_000;
    const record: UploadRecord = { ...request, place: placeOf(request), createdAt: this.clock(), expiresAt, state: 'open', places: [] };
    await this.vault.insert(UPLOADS, uploadId, record);
    try {
      await this.slots.take(record.place, uploadId);
    } catch (error) {
      await this.vault.remove(UPLOADS, uploadId);
      throw error;
    }
    const signed = await this.blobs.signPut(uploadKey(uploadId), { size: request.size, contentType: CONTENT_TYPE, expiresAt });
    return { uploadId, versionId: request.versionId, ...signed, expiresAt };
  }

  /** Notes that bytes are coming, or have all come. False when nobody waits for them (any more). What is filled stays so. */
  async mark(uploadId: Id, state: 'filling' | 'filled' | 'open'): Promise<boolean> {
    for (;;) {
      const found = await this.vault.get<UploadRecord>(UPLOADS, uploadId);
      if (found === null || found.body.state === 'closed' || found.body.expiresAt < this.clock()) return false;
      // Whoever noted something else at the same moment: what they noted is looked at, and stands beside this.
      if (found.body.state === 'filled' || (await this.vault.replace(UPLOADS, uploadId, found.version, { ...found.body, state }))) return true;
    }
  }

  /** The file of an upload that belongs to this use. @throws Refused `upload.not-found` for a foreign, used, unfitting, expired or missing one */
  async findArrived(uploadId: Id, use: Pick<UploadRequest, 'uid' | 'purpose' | 'projectId'>): Promise<ArrivedUpload> {
    for (let lookedAt = -1; ;) {
      const found = await this.vault.get<UploadRecord>(UPLOADS, uploadId);
      if (found === null || found.body.place !== placeOf(use) || found.body.expiresAt < this.clock()) throw new Refused('upload.not-found');
      for (const key of [uploadKey(uploadId), ...found.body.places]) {
        const info = await this.blobs.head(key);
        if (info?.size === found.body.size) return { uploadId, record: found.body, key };
      }
      // Another server that was asked the same may have moved it away just now, and noted before where to.
      if (found.version === lookedAt) throw new Refused('upload.not-found');
      lookedAt = found.version;
    }
  }

  /** Brings a file to where an event will say it is; the place is noted first, so that a crash leaves nothing unknown behind. @throws Refused `upload.not-found`, `store.busy` */
  async moveTo(upload: ArrivedUpload, key: string): Promise<ArrivedUpload> {
    if (upload.key === key) return upload;
    await this.recordMove(upload, key);
    await this.blobs.move(upload.key, key).catch((error: unknown) => {
      // Another server that was asked the same brings it somewhere else: sent again, the command finds what that one did.
      throw error instanceof BlobMissing ? new Refused('store.busy') : error;
    });
    return { ...upload, key };
  }

  /** Notes where the file, or what is made of it, will lie, without forgetting where it may lie already. @throws Refused `upload.not-found` when it was used meanwhile */
  async recordMove(upload: ArrivedUpload, key: string): Promise<void> {
    // Sent to two servers at once, both bring it to the same place.
    const noted = await this.change(upload.uploadId, (record) => ({ ...record, places: [...record.places.filter((place) => place !== key), key] }));
    if (!noted) throw new Refused('upload.not-found');
  }

  /** Whether anybody may still use the file of an upload. */
  async exists(uploadId: Id): Promise<boolean> {
    return (await this.vault.get<UploadRecord>(UPLOADS, uploadId)) !== null;
  }

  /** An event names the file now, or nobody will use it: what is left of the upload itself goes. */
  async finish(uploadId: Id): Promise<void> {
    await this.blobs.remove(uploadKey(uploadId));
    await this.vault.remove(UPLOADS, uploadId);
  }

  /**
   * The file was refused: it is deleted with everything about it. One that a command has brought somewhere already may be named by an event: the sweep
   * looks whether it is.
   */
  async discard({ uploadId }: ArrivedUpload): Promise<void> {
    await this.blobs.remove(uploadKey(uploadId));
    await this.change(uploadId, (record) => (record.places.length === 0 ? null : record));
  }

  /**
   * Takes back everything that somebody announced: files that wait go at once. One that a call is using (or was, when a crash came) loses its name
   * and its time, and the next sweep decides whether an event names it.
   */
  async discardAllOf(uid: Uid): Promise<void> {
    for await (const { id, body } of this.all()) {
      if (body.uid !== uid) continue;
      await this.change(id, (record) => (record.places.length === 0 ? null : { ...record, filename: '', state: 'closed', expiresAt: 0 }));
      // Afterwards: octets that come later find that nobody waits for them.
      await this.blobs.remove(uploadKey(id));
    }
  }

  /** Forgets what was counted for an upload's place, once nothing is on its way there. */
  async tidy(record: UploadRecord): Promise<void> {
    await this.slots.tidy(record.place);
  }

  /** Uploads whose time is over, and who took them in the last moment is done too: their records. `all`: those under way too, while nobody can use them. */
  async expired({ all = false } = {}): Promise<readonly { readonly uploadId: Id; readonly record: UploadRecord }[]> {
    const found: { uploadId: Id; record: UploadRecord }[] = [];
    for await (const { id, body } of this.all()) if (all || body.expiresAt + USE_MS < this.clock()) found.push({ uploadId: id, record: body });
    return found;
  }

  /** Changes a record as it is by now, or removes it (null), whoever else changes it meanwhile. False when there is none. */
  private async change(uploadId: Id, to: (record: UploadRecord) => UploadRecord | null): Promise<boolean> {
    for (;;) {
      const found = await this.vault.get<UploadRecord>(UPLOADS, uploadId);
      if (found === null) return false;
      const record = to(found.body);
      if (record === found.body) return true;
      const isChanged = record === null ? this.vault.remove(UPLOADS, uploadId, found.version) : this.vault.replace(UPLOADS, uploadId, found.version, record);
      if (await isChanged) return true;
    }
  }

  private async *all(): AsyncGenerator<VaultRecord<UploadRecord>> {
    for (let afterId = ''; ;) {
      const page = await this.vault.find<UploadRecord>(UPLOADS, { afterId, limit: 500 });
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      afterId = last.id;
    }
  }
}

/** The upload whose bytes go to a key, null for any other key. */
export const uploadOf = (key: string): Id | null => (key.startsWith('uploads/') ? key.slice('uploads/'.length) : null);
