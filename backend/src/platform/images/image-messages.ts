import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import type { Area, CleanImage, Size } from './images.js';

/** Requests to the image process, in this order: the file first, then what to make of it. */
export type ImageRequest =
  | { readonly kind: 'open'; readonly bytes: Uint8Array; readonly frames: 'all' | 'first' }
  | { readonly kind: 'clean' }
  | { readonly kind: 'cut'; readonly area: Area; readonly boxes: readonly Size[] };

/** Its replies. `failed` is our failure, not the file's. */
export type ImageReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'opened'; readonly size: Size }
  | { readonly kind: 'made'; readonly images: readonly CleanImage[] }
  | { readonly kind: 'refused'; readonly code: ProblemCode; readonly detail?: string }
  | { readonly kind: 'failed'; readonly message: string };
