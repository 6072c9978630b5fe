import { createReadStream } from 'node:fs';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { AudioFile, PlaybackCopy } from '@roughmix/contracts/versions/version.events.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { MadeCopy } from './audio-format.js';

/** The folder of everything that is stored about a version's file. */
export const folderOf = ({ key }: Pick<AudioFile, 'key'>): string => key.slice(0, key.lastIndexOf('/'));

/** Where the copy for browsers is stored: beside the original, so that it is removed with it. */
export const copyKeyOf = (file: Pick<AudioFile, 'key'>, uploadId: Id): string => `${folderOf(file)}/playback-${uploadId}`;

/** Stores a copy that a child process has written. */
export async function storeCopy(blobs: BlobStore, key: string, { path, contentType, codec }: MadeCopy): Promise<PlaybackCopy> {
  const { size } = await blobs.write(key, createReadStream(path));
  return { key, size, contentType, codec };
}
