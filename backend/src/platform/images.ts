import type SharpType from 'sharp';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

type Sharp = typeof SharpType;

/** A picture encoded anew: nothing of its file but the picture is left. Pixels count after turning it upright. */
export interface CleanImage {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly extension: string;
  readonly width: number;
  readonly height: number;
}

const FORMATS = { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' } as const;
const LONGEST_SIDE = 4096;
const MOST_PIXELS = 50_000_000;

const isTaken = (format: string | undefined): format is keyof typeof FORMATS => format !== undefined && format in FORMATS;

/** A picture of the most pixels takes a few hundred MB while it is decoded: one after another. */
const limiter = new ConcurrencyLimiter(1, 60_000, 20);

/** The one library that decodes pictures, with every reader shut but those of the four formats: none of them follows links, runs scripts or asks fonts. */
async function openSharp(): Promise<Sharp> {
  // Loaded with the first picture: the start does not wait for it.
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'] });
  return sharp;
}

/** Reads a png, jpeg, gif or webp file and encodes it anew without metadata, at most 4,096 pixels a side. Null when it is none of them or does not decode. @throws Refused `store.busy` when too many pictures wait */
export const cleanImage = (path: string): Promise<CleanImage | null> => limiter.run(() => clean(path));

async function clean(path: string): Promise<CleanImage | null> {
  const sharp = await openSharp();
  try {
    const { format } = await sharp(path, { limitInputPixels: MOST_PIXELS }).metadata();
    if (!isTaken(format)) return null;
    const picture = sharp(path, { limitInputPixels: MOST_PIXELS, animated: format === 'gif' || format === 'webp', failOn: 'error' });
    const resized = picture.rotate().resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true });
    const { data, info } = await resized.toFormat(format).timeout({ seconds: 20 }).toBuffer({ resolveWithObject: true });
    return { bytes: data, contentType: FORMATS[format], extension: format, width: info.width, height: info.pageHeight ?? info.height };
  } catch {
    // Whatever keeps it from being decoded, it is no picture that can be shown.
    return null;
  }
}
