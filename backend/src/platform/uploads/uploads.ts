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
import { type AllowBytes, UploadSlots } from './upload-slots.js';
import type { UploadNames } from './upload-names.js';
import { UPLOADS, type UploadRecord, type UploadRequest } from './upload-record.js';

/** An uploaded file that is not used yet. */
export interface ArrivedUpload {
  readonly uploadId: Id;
  readonly record: UploadRecord & Pick<UploadRequest, 'filename'>;
  /** Where the file is stored now. */
  readonly key: string;
}

/** An upload whose time is over. */
export interface ExpiredUpload {
  readonly uploadId: Id;
  readonly record: UploadRecord;
}

/** The same for every upload, as browsers only guess the type. */
const CONTENT_TYPE = 'application/octet-stream';
/** How long after its expiry an upload is swept: time for a command that is using it (probe, move, append), and for clocks that differ. */
const USE_MS = 15 * 60_000;

export const uploadKey = (uploadId: Id): string => `uploads/${uploadId}`;
const groupOf = (upload: Pick<UploadRequest, 'uid' | 'projectId' | 'purpose'>): string => `${upload.uid}/${upload.projectId ?? ''}/${upload.purpose}`;

/** Uploads: a file is announced, put to a signed URL by the browser, then used by a command. */
@Injectable()
export class Uploads {
  private readonly slots: UploadSlots;

  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly names: UploadNames,
  ) {
    this.slots = new UploadSlots(vault, clock, blobs.seesPuts ? null : async (uploadId) => (await blobs.head(uploadKey(uploadId)))?.size ?? null);
  }

  async declare(): Promise<void> {
    await this.vault.declare({ name: UPLOADS, indexes: ['place'] });
    await this.slots.declare();
  }

  /**
   * Takes a slot, closing the oldest upload of its group that has not started.
   * @param allow refuses if the uploads of the user, with this one, have more bytes than they may
   * @throws Refused `throttled` while ten of the group or twenty of the user are in progress or unused; what `allow` throws; ServiceUnavailable
   */
  async announce(request: UploadRequest, allow: AllowBytes = async () => undefined): Promise<NewUploadAnswer> {
    // If the file server is unavailable, no client is sent to it and no slot is taken.
    if (!this.blobs.seesPuts) await this.blobs.check();
    const uploadId = newId();
    const expiresAt = this.clock() + LIMITS.uploadMinutes * 60_000;
    const { filename, ...use } = request;
    const sealedName = this.names.seal(uploadId, filename);
    const record: UploadRecord = { ...use, sealedName, place: groupOf(request), createdAt: this.clock(), expiresAt, state: 'open', places: [] };
    await this.vault.insert(UPLOADS, uploadId, record);
    try {
      await this.slots.take(uploadId, record, allow);
    } catch (error) {
      await this.vault.remove(UPLOADS, uploadId);
      throw error;
    }
    const signed = await this.blobs.signPut(uploadKey(uploadId), { size: request.size, contentType: CONTENT_TYPE, expiresAt });
    return { uploadId, versionId: request.versionId, ...signed, expiresAt };
  }

  /** The bytes of a user's uploads that are not used yet. */
  bytesOf(uid: Uid): Promise<number> {
    return this.slots.bytesOf(uid);
  }

  /** Sets the state; `filled` is final. @returns false if the upload is unknown, closed or expired */
  async mark(uploadId: Id, state: 'filling' | 'filled' | 'open'): Promise<boolean> {
    for (;;) {
      const found = await this.vault.get<UploadRecord>(UPLOADS, uploadId);
      if (found === null || found.body.state === 'closed' || found.body.expiresAt < this.clock()) return false;
      // After a competing write, read and decide again.
      if (found.body.state === 'filled' || (await this.vault.replace(UPLOADS, uploadId, found.version, { ...found.body, state }))) return true;
    }
  }

  /** The uploaded file for this use. @throws Refused `upload.not-found` if it belongs to another user or use, is used, incomplete, expired or missing */
  async findArrived(uploadId: Id, use: Pick<UploadRequest, 'uid' | 'purpose' | 'projectId'>): Promise<ArrivedUpload> {
    for (let lastVersion = -1; ;) {
      const found = await this.vault.get<UploadRecord>(UPLOADS, uploadId);
      if (found === null || found.body.place !== groupOf(use) || found.body.expiresAt < this.clock()) throw new Refused('upload.not-found');
      for (const key of [uploadKey(uploadId), ...found.body.places]) {
        const info = await this.blobs.head(key);
        if (info?.size === found.body.size) return { uploadId, record: { ...found.body, filename: this.names.open(uploadId, found.body) }, key };
      }
      // Another server may have just moved it for the same request; then the record has changed and names the new key.
      if (found.version === lastVersion) throw new Refused('upload.not-found');
      lastVersion = found.version;
    }
  }

  /** Moves the file to the key that an event will name. The key is recorded first, so a crash leaves no unknown file. @throws Refused `upload.not-found`, `store.busy` */
  async moveTo(upload: ArrivedUpload, key: string): Promise<ArrivedUpload> {
    if (upload.key === key) return upload;
    await this.recordMove(upload, key);
    await this.blobs.move(upload.key, key).catch((error: unknown) => {
      // Another server moved it for the same request; on retry the command finds that server's result.
      throw error instanceof BlobMissing ? new Refused('store.busy') : error;
    });
    return { ...upload, key };
  }

  /** Records a key to which the file, or a file made from it, will be written; earlier keys stay recorded. @throws Refused `upload.not-found` if it was used meanwhile */
  async recordMove(upload: ArrivedUpload, key: string): Promise<void> {
    // Two servers with the same request record the same key.
    const isRecorded = await this.change(upload.uploadId, (record) => ({ ...record, places: [...record.places.filter((place) => place !== key), key] }));
    if (!isRecorded) throw new Refused('upload.not-found');
  }

  /** Replaces the recorded keys of moved files, which earlier versions ended in the names of the files. */
  async renamePlaces(rename: (key: string) => string): Promise<void> {
    for await (const { id, body } of this.all()) {
      if (body.places.some((place) => rename(place) !== place)) await this.change(id, (record) => ({ ...record, places: record.places.map(rename) }));
    }
  }

  /** False once it was used, discarded or swept. */
  async exists(uploadId: Id): Promise<boolean> {
    return (await this.vault.get<UploadRecord>(UPLOADS, uploadId)) !== null;
  }

  /** Removes the upload: an event names its file now, or no command will use it. */
  async finish(uploadId: Id): Promise<void> {
    await this.blobs.remove(uploadKey(uploadId));
    await this.vault.remove(UPLOADS, uploadId);
  }

  /** Deletes a refused file and its record. A file that was moved may be named by an event already, so the sweep decides on it. */
  async discard({ uploadId }: ArrivedUpload): Promise<void> {
    await this.blobs.remove(uploadKey(uploadId));
    await this.change(uploadId, (record) => (record.places.length === 0 ? null : record));
  }

  /** Discards all uploads of a user. One whose file was moved loses its file name and expires, so the next sweep decides on it. */
  async discardAllOf(uid: Uid): Promise<void> {
    for await (const { id, body } of this.all()) {
      if (body.uid !== uid) continue;
      await this.change(id, (record) => (record.places.length === 0 ? null : { ...record, filename: '', sealedName: '', state: 'closed', expiresAt: 0 }));
      // After the record, so bytes that arrive later are not accepted.
      await this.blobs.remove(uploadKey(id));
    }
    await this.slots.tidy(uid);
  }

  /** Removes an expired upload and the files made from it, except those to keep. */
  async sweep({ uploadId, record }: ExpiredUpload, isKept: (key: string) => Promise<boolean>): Promise<void> {
    for (const place of record.places) if (!(await isKept(place))) await this.blobs.remove(place);
    await this.finish(uploadId);
    await this.slots.tidy(record.uid);
  }

  /** Removes the file of an upload without a record, left by a crash between removing the record and removing its file. */
  async removeUnannounced(key: string): Promise<void> {
    await this.blobs.remove(key);
  }

  /** The keys of such files. */
  async unannounced(): Promise<readonly string[]> {
    const found: string[] = [];
    for (let after = ''; ;) {
      const keys = await this.blobs.list('uploads', { after, limit: 500 });
      for (const key of keys) {
        const uploadId = uploadOf(key);
        if (uploadId !== null && !(await this.exists(uploadId))) found.push(key);
      }
      const last = keys.at(-1);
      if (last === undefined) return found;
      after = last;
    }
  }

  /** Uploads that expired at least {@link USE_MS} ago. `all`: every upload, while no program runs. */
  async expired({ all = false } = {}): Promise<readonly ExpiredUpload[]> {
    const found: ExpiredUpload[] = [];
    for await (const { id, body } of this.all()) if (all || body.expiresAt + USE_MS < this.clock()) found.push({ uploadId: id, record: body });
    return found;
  }

  /** Applies a change to the current record, retrying after competing writes; null removes it. @returns false if there is none */
  private async change(uploadId: Id, update: (record: UploadRecord) => UploadRecord | null): Promise<boolean> {
    for (;;) {
      const found = await this.vault.get<UploadRecord>(UPLOADS, uploadId);
      if (found === null) return false;
      const record = update(found.body);
      if (record === found.body) return true;
      const changed = record === null ? this.vault.remove(UPLOADS, uploadId, found.version) : this.vault.replace(UPLOADS, uploadId, found.version, record);
      if (await changed) return true;
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

/** The id of the upload whose file has this key, null for any other key. */
export const uploadOf = (key: string): Id | null => (key.startsWith('uploads/') ? key.slice('uploads/'.length) : null);
