import type { CropBody } from '@roughmix/contracts/users/user.api.js';
import { Refused } from '../kernel/refusal.js';
import type { Area, Size } from '../platform/images/images.js';

/** The largest centred rectangle of a ratio of width to height. */
function centred({ width, height }: Size, ratio: number): Area {
  const size = { width: Math.max(1, Math.min(width, Math.round(height * ratio))), height: Math.max(1, Math.min(height, Math.round(width / ratio))) };
  return { x: Math.floor((width - size.width) / 2), y: Math.floor((height - size.height) / 2), ...size };
}

/** A chosen rectangle in whole pixels. @throws Refused `photo.crop` if it does not lie inside the image */
function chosen(image: Size, { x, y, width, height }: CropBody): Area {
  const isInside = x >= 0 && y >= 0 && x + width <= image.width && y + height <= image.height;
  const size = { width: Math.round(width), height: Math.round(height) };
  if (!isInside || size.width < 1 || size.height < 1) throw new Refused('photo.crop', { field: 'crop' });
  // Rounding must not move it over the edge.
  return { x: Math.min(Math.round(x), image.width - size.width), y: Math.min(Math.round(y), image.height - size.height), ...size };
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
