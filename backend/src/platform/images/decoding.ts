import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import sharp, { type Sharp } from 'sharp';
import { Refused } from '../../kernel/refusal.js';
import type { Area, CleanImage, Size } from './images.js';

const FORMATS = { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' } as const;
type Format = keyof typeof FORMATS;
const MAX_SIDE = 4096;
const MAX_SECONDS = 20;
/** The EXIF orientations from this one on swap width and height. */
const FIRST_TURNED = 5;

// All loaders are blocked except four, none of which follows links, runs scripts or loads fonts.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'] });
// The process handles one image and ends.
sharp.cache(false);

/** An image whose header has been read. */
export interface OpenedImage {
  readonly bytes: Uint8Array;
  readonly format: Format;
  /** Of the upright image. */
  readonly size: Size;
}

const isSupported = (format: string | undefined): format is Format => format !== undefined && format in FORMATS;

/** Reads the header. @throws Refused `upload.not-image`, `upload.image-too-large` */
export async function open(bytes: Uint8Array, frames: 'all' | 'first'): Promise<OpenedImage> {
  const { format, width, height, orientation = 1, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (!isSupported(format)) throw new Refused('upload.not-image');
  if (frames === 'all' && pages > 1) requireShort(pages, width * height);
  if (width * height > LIMITS.imagePixels) throw new Refused('upload.image-too-large', { detail: 'Images can have at most 50 megapixels' });
  return { bytes, format, size: orientation < FIRST_TURNED ? { width, height } : { width: height, height: width } };
}

/** Frames are encoded one by one, each at a cost of its own. @throws Refused `upload.image-too-large` */
function requireShort(frames: number, pixels: number): void {
  if (frames <= LIMITS.animationFrames && frames * pixels <= LIMITS.animationPixels) return;
  throw new Refused('upload.image-too-large', { detail: 'Animations can have at most 1,000 frames, and 20 megapixels in all frames together' });
}

/** Re-encodes an image without metadata, at most 4,096 pixels a side. */
export async function clean({ bytes, format }: OpenedImage): Promise<CleanImage> {
  const image = sharp(bytes, { limitInputPixels: LIMITS.imagePixels, animated: format === 'gif' || format === 'webp', failOn: 'error' });
  return encoded(image.rotate().resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true }), format);
}

/** Cuts an area out of the upright image, of several frames the first, and makes it fit into each of the boxes. Nothing is enlarged. */
export async function cut({ bytes, format }: OpenedImage, { x: left, y: top, width, height }: Area, boxes: readonly Size[]): Promise<readonly CleanImage[]> {
  const made: CleanImage[] = [];
  for (const box of boxes) {
    const image = sharp(bytes, { limitInputPixels: LIMITS.imagePixels, failOn: 'error' }).autoOrient().extract({ left, top, width, height });
    made.push(await encoded(image.resize({ ...box, fit: 'inside', withoutEnlargement: true }), format === 'gif' ? 'png' : format));
  }
  return made;
}

async function encoded(image: Sharp, format: Format): Promise<CleanImage> {
  const { data, info } = await image.toFormat(format).timeout({ seconds: MAX_SECONDS }).toBuffer({ resolveWithObject: true });
  return { bytes: data, contentType: FORMATS[format], extension: format, width: info.width, height: info.pageHeight ?? info.height };
}
