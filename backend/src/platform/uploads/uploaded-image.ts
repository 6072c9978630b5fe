import { Refused } from '../../kernel/refusal.js';
import { BlobMissing, type BlobStore } from '../blobs/blobs.js';
import type { ArrivedUpload, Uploads } from './uploads.js';

/**
 * Makes something of an uploaded image; discards a file that is none.
 * @param make reads the file at a path, see platform/images.ts
 * @throws Refused `upload.not-found` if the file is gone; what `make` throws
 */
export async function fromUploadedImage<Made>(
  { uploads, blobs }: { readonly uploads: Uploads; readonly blobs: BlobStore },
  upload: ArrivedUpload,
  make: (path: string) => Promise<Made>,
): Promise<Made> {
  try {
    return await blobs.withLocalFile(upload.key, make);
  } catch (error) {
    if (error instanceof BlobMissing) throw new Refused('upload.not-found');
    if (error instanceof Refused && (error.code === 'upload.not-image' || error.code === 'upload.image-too-large')) await uploads.discard(upload);
    throw error;
  }
}
