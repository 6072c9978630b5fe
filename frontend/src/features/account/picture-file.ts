import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';

/** The kinds of files that a picture is chosen from. */
export interface PictureTypes {
  readonly types: readonly string[];
  /** 'png or jpeg' */
  readonly words: string;
}

export const WELCOME_PICTURES: PictureTypes = { types: ['image/png', 'image/jpeg', 'image/gif'], words: 'png, jpeg or gif' };
export const SETTINGS_PICTURES: PictureTypes = { types: ['image/png', 'image/jpeg'], words: 'png or jpeg' };

const MOST_PIXELS = 50_000_000;

export const notAPicture = ({ words }: PictureTypes): string => `Needs to be a ${words} image`;

/** Why a file cannot be used as a picture; null if it can. The server checks the content. */
export function pictureFileProblem({ type, size }: Pick<File, 'type' | 'size'>, allowed: PictureTypes): string | null {
  if (!allowed.types.includes(type)) return notAPicture(allowed);
  if (size === 0) return detailOf('upload.empty');
  return size > LIMITS.imageBytes ? detailOf('upload.image-too-large') : null;
}

/** Why a picture of this size cannot be used; null if it can. */
export const pictureSizeProblem = (width: number, height: number): string | null =>
  width * height > MOST_PIXELS ? 'Images can have at most 50 megapixels' : null;
