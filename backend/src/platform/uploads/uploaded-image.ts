import { Refused } from '../../kernel/refusal.js';
import { BlobMissing, type BlobStore } from '../blobs/blobs.js';
import { Newcomers } from '../newcomers.js';
import { SharedWork } from '../shared-work.js';
import { uploadQueue } from './upload-queue.js';
import type { ArrivedUpload, Uploads } from './uploads.js';

/** How long after a person's last picture another one counts as their first. */
const FIRST_AFTER_MS = 60_000;
/**
 * Decoding the largest image takes up to 400 MB, so images are decoded one at a time, and beside it one of a person who sent none for a minute: they do not
 * wait for others who send many.
 */
const queue = uploadQueue({ running: 2, runningPerPerson: 1, newcomers: new Newcomers(FIRST_AFTER_MS) });
const shared = new SharedWork();

/**
 * Makes something of an uploaded image; discards a file that is none.
 * @param commandId of the command that uses the upload: its repeats share the result
 * @param make reads the file at a path, see platform/images/images.ts
 * @throws Refused `upload.busy`, after which the upload can be used again; `upload.not-found` if the file is gone; what `make` throws
 */
export async function fromUploadedImage<Made>(
  { uploads, blobs }: { readonly uploads: Uploads; readonly blobs: BlobStore },
  upload: ArrivedUpload,
  commandId: string,
  make: (path: string) => Promise<Made>,
): Promise<Made> {
  try {
    return await shared.run(`${upload.key} ${commandId}`, () => queue.run(upload.record.uid, () => blobs.withLocalFile(upload.key, make)));
  } catch (error) {
    if (error instanceof BlobMissing) throw new Refused('upload.not-found');
    if (error instanceof Refused && (error.code === 'upload.not-image' || error.code === 'upload.image-too-large')) await uploads.discard(upload);
    throw error;
  }
}
