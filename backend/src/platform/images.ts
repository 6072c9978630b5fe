import type SharpType from 'sharp';
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

const FORMATS = { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' } as const;
const MAX_SIDE = 4096;
const MAX_PIXELS = 50_000_000;

const isSupported = (format: string | undefined): format is keyof typeof FORMATS => format !== undefined && format in FORMATS;

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

/** Re-encodes a png, jpeg, gif or webp file without metadata, at most 4,096 pixels a side. Null if it is none of them or cannot be decoded. @throws Refused `store.busy` if too many images wait */
export const cleanImage = (path: string): Promise<CleanImage | null> => limiter.run(() => clean(path));

async function clean(path: string): Promise<CleanImage | null> {
  const sharp = await openSharp();
  try {
    const { format } = await sharp(path, { limitInputPixels: MAX_PIXELS }).metadata();
    if (!isSupported(format)) return null;
    const image = sharp(path, { limitInputPixels: MAX_PIXELS, animated: format === 'gif' || format === 'webp', failOn: 'error' });
    const resized = image.rotate().resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true });
    const { data, info } = await resized.toFormat(format).timeout({ seconds: 20 }).toBuffer({ resolveWithObject: true });
    return { bytes: data, contentType: FORMATS[format], extension: format, width: info.width, height: info.pageHeight ?? info.height };
  } catch {
    // Whatever the reason, an image that cannot be decoded cannot be shown.
    return null;
  }
}
