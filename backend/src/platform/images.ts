import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type SharpType from 'sharp';
import type { Sharp as Pipeline } from 'sharp';
import { Refused } from '../kernel/refusal.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

type Sharp = typeof SharpType;

/** A re-encoded image without metadata. Width and height are those of the upright image. */
export interface CleanImage {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly extension: string;
  readonly width: number;
  readonly height: number;
}

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle in whole pixels, with its left upper corner. */
export interface Area extends Size {
  readonly x: number;
  readonly y: number;
}

const FORMATS = { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' } as const;
type Format = keyof typeof FORMATS;
const MAX_SIDE = 4096;
/** The EXIF orientations from this one on swap width and height. */
const FIRST_TURNED = 5;

const isSupported = (format: string | undefined): format is Format => format !== undefined && format in FORMATS;

/** Decoding the largest image takes a few hundred MB, so images are decoded one at a time. */
const limiter = new ConcurrencyLimiter(1, 60_000, 20);

/** The image library with all loaders blocked except four, none of which follows links, runs scripts or loads fonts. */
async function openSharp(): Promise<Sharp> {
  // Imported with the first image, to keep the start fast.
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'] });
  return sharp;
}

/**
 * Re-encodes a png, jpeg, gif or webp file without metadata, at most 4,096 pixels a side.
 * @throws Refused `upload.not-image`, `upload.image-too-large`; `store.busy` if too many images wait
 */
export const cleanImage = (path: string): Promise<CleanImage> =>
  limiter.run(() =>
    decoding(async (sharp) => {
      const { format } = await read(sharp, path, 'all');
      const image = sharp(path, { limitInputPixels: LIMITS.imagePixels, animated: format === 'gif' || format === 'webp', failOn: 'error' });
      const resized = image.rotate().resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true });
      return encoded(resized, format);
    }),
  );

/**
 * Cuts a rectangle out of an upright image, of several frames the first, and makes it fit into each of the boxes. Nothing is enlarged.
 * @param areaIn the rectangle within an image of this size; refuses by throwing
 * @throws Refused as {@link cleanImage}
 */
export const cutImage = (path: string, areaIn: (size: Size) => Area, boxes: readonly Size[]): Promise<readonly CleanImage[]> =>
  limiter.run(async () => {
    const known = await decoding((sharp) => read(sharp, path, 'first'));
    const { x: left, y: top, width, height } = areaIn(known.size);
    return decoding(async (sharp) => {
      const made: CleanImage[] = [];
      for (const box of boxes) {
        const image = sharp(path, { limitInputPixels: LIMITS.imagePixels, failOn: 'error' }).autoOrient().extract({ left, top, width, height });
        made.push(await encoded(image.resize({ ...box, fit: 'inside', withoutEnlargement: true }), known.format === 'gif' ? 'png' : known.format));
      }
      return made;
    });
  });

/** Whatever the reason, an image that cannot be decoded cannot be shown. */
async function decoding<Made>(work: (sharp: Sharp) => Promise<Made>): Promise<Made> {
  const sharp = await openSharp();
  try {
    return await work(sharp);
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('upload.not-image');
  }
}

/** The format and the upright size, from the header. */
async function read(sharp: Sharp, path: string, frames: 'all' | 'first'): Promise<{ readonly format: Format; readonly size: Size }> {
  const { format, width, height, orientation = 1, pages = 1 } = await sharp(path, { limitInputPixels: false }).metadata();
  if (!isSupported(format)) throw new Refused('upload.not-image');
  const pixels = width * height * (frames === 'all' ? pages : 1);
  if (pixels > LIMITS.imagePixels) throw new Refused('upload.image-too-large', { detail: 'Images can have at most 50 megapixels' });
  return { format, size: orientation < FIRST_TURNED ? { width, height } : { width: height, height: width } };
}

async function encoded(image: Pipeline, format: Format): Promise<CleanImage> {
  const { data, info } = await image.toFormat(format).timeout({ seconds: 20 }).toBuffer({ resolveWithObject: true });
  return { bytes: data, contentType: FORMATS[format], extension: format, width: info.width, height: info.pageHeight ?? info.height };
}
