import type { CropBody } from '@roughmix/contracts/users/user.api.js';
import { Refused } from '../kernel/refusal.js';
import type { Area, Size } from '../platform/images/images.js';

/** The largest centred rectangle of a ratio of width to height. */
function centred({ width, height }: Size, ratio: number): Area {
  const size = { width: Math.max(1, Math.min(width, Math.round(height * ratio))), height: Math.max(1, Math.min(height, Math.round(width / ratio))) };
  return { x: Math.floor((width - size.width) / 2), y: Math.floor((height - size.height) / 2), ...size };
}

/** The chosen rectangle. @throws Refused `photo.crop` if it is not of whole pixels, or does not lie inside the image */
function chosen(image: Size, { x, y, width, height }: CropBody): Area {
  const isWhole = [x, y, width, height].every(Number.isInteger);
  const isInside = x >= 0 && y >= 0 && width >= 1 && height >= 1 && x + width <= image.width && y + height <= image.height;
  if (!isWhole || !isInside) throw new Refused('photo.crop', { field: 'crop' });
  return { x, y, width, height };
}

/** The part of an image that becomes a profile photo: the crop, by default the largest centred square. @throws Refused `photo.crop` */
export function photoArea(image: Size, crop: CropBody | undefined): Area {
  if (crop === undefined) return centred(image, 1);
  const area = chosen(image, crop);
  if (area.width !== area.height) throw new Refused('photo.crop', { field: 'crop' });
  return area;
}

const COVER_RATIO = 3;

/** The part that becomes a cover: the crop, of any ratio, by default the largest centred one of 3:1. @throws Refused `photo.crop` */
export const coverArea = (image: Size, crop: CropBody | undefined): Area => (crop === undefined ? centred(image, COVER_RATIO) : chosen(image, crop));
