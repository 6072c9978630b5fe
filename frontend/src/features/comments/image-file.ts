import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';

/** The types that the file picker offers. */
export const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Why a file cannot be sent as an image; null when it can. The server checks the file's content as well. */
export function imageFileProblem({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!IMAGE_TYPES.includes(type)) return detailOf('upload.not-image');
  if (size === 0) return detailOf('upload.empty');
  return size > LIMITS.imageBytes ? 'Images must be smaller than 10 MB' : null;
}
