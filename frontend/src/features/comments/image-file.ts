import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';

/** What a picker of images offers. */
export const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** What speaks against an image; null for nothing. The server looks into the file and has the last word. */
export function imageFileProblem({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!IMAGE_TYPES.includes(type)) return detailOf('upload.not-image');
  if (size === 0) return detailOf('upload.empty');
  return size > LIMITS.imageBytes ? 'Images must be smaller than 10 MB' : null;
}
