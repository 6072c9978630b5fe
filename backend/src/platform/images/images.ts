import { readFile } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Refused } from '../../kernel/refusal.js';
import type { LimitedChild, StartChild } from '../children/limited-child.js';
import { START_CHILD } from '../tokens.js';
import type { ImageReply, ImageRequest } from './image-messages.js';

/** A re-encoded image without metadata. Width and height are those of the upright image. */
export interface CleanImage {
  readonly bytes: Uint8Array;
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

type ImageChild = LimitedChild<ImageRequest, ImageReply>;

/** Its program. */
export const IMAGE_PROGRAM = new URL('./image-child.js', import.meta.url);
const MEMORY_BYTES = 768 * 1024 * 1024;
/** For each step of an image. */
const STEP_MS = 30_000;

/** Pictures made of uploaded files. Each image has a process of its own, which ends with it: what an image did to its decoder meets no other. */
@Injectable()
export class Images {
  constructor(@Inject(START_CHILD) private readonly startChild: StartChild) {}

  /**
   * Re-encodes a png, jpeg, gif or webp file without metadata, at most 4,096 pixels a side. Uses up to a few hundred MB: see uploads/uploaded-image.ts.
   * @throws Refused `upload.not-image`, `upload.image-too-large`
   */
  clean(path: string): Promise<CleanImage> {
    return this.withChild(async (child) => {
      await opened(child, { kind: 'open', bytes: await readFile(path), frames: 'all' });
      const [image] = await made(child, { kind: 'clean' });
      if (image === undefined) throw new Error('the image process made nothing');
      return image;
    });
  }

  /**
   * Cuts a rectangle out of an upright image, of several frames the first, and makes it fit into each of the boxes. Nothing is enlarged.
   * @param areaIn the rectangle within an image of this size; refuses by throwing
   * @throws Refused as {@link clean}
   */
  cut(path: string, areaIn: (size: Size) => Area, boxes: readonly Size[]): Promise<readonly CleanImage[]> {
    return this.withChild(async (child) => {
      const size = await opened(child, { kind: 'open', bytes: await readFile(path), frames: 'first' });
      return made(child, { kind: 'cut', area: areaIn(size), boxes });
    });
  }

  private async withChild<Made>(work: (child: ImageChild) => Promise<Made>): Promise<Made> {
    const child: ImageChild = this.startChild({ program: IMAGE_PROGRAM, memoryBytes: MEMORY_BYTES, files: { usesAddons: true } });
    try {
      return await work(child);
    } finally {
      await child.kill();
    }
  }
}

async function opened(child: ImageChild, request: ImageRequest): Promise<Size> {
  const reply = await answer(child, request);
  if (reply.kind !== 'opened') throw new Error(`the image process replied with ${reply.kind}`);
  return reply.size;
}

async function made(child: ImageChild, request: ImageRequest): Promise<readonly CleanImage[]> {
  const reply = await answer(child, request);
  if (reply.kind !== 'made') throw new Error(`the image process replied with ${reply.kind}`);
  return reply.images;
}

/** An image that takes too much memory or time, or crashes its decoder, is none that can be shown. */
async function answer(child: ImageChild, request: ImageRequest): Promise<ImageReply> {
  const reply = await child.run(request, STEP_MS);
  if (reply.kind === 'overrun' || reply.kind === 'died') throw new Refused('upload.not-image');
  if (reply.kind === 'refused') throw new Refused(reply.code, reply.detail === undefined ? {} : { detail: reply.detail });
  if (reply.kind === 'failed') throw new Error(`the image process failed: ${reply.message}`);
  return reply;
}
