import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Instant, Position } from '@roughmix/contracts/shared/ids.js';
import { systemCode } from '../durable-file.js';
import type { ErasureListState } from '../personal-data/erasure-list.js';

export const MANIFEST = 'manifest.json';
export const LOG = 'log.db';
export const VAULT = 'vault.db';
export const BLOBS = 'blobs';
export const FILES = 'files.ndjson';
export const KEYS = 'keys';
/** Raised when a backup's parts change their form: a program restores what it knows. */
export const FORMAT = 1;

/** A file with its size in octets and its SHA-256 (hex). */
export interface Summed {
  readonly size: number;
  readonly sha256: string;
}

/** What a backup says of itself; written last, so that one without it is none. */
export interface Manifest {
  readonly kind: 'roughmix backup';
  readonly format: typeof FORMAT;
  readonly at: Instant;
  /** Which log, how far, and the checksum of its last row, which stands for every row before. */
  readonly log: Summed & { readonly identity: string; readonly position: Position; readonly sum: string };
  readonly vault: Summed;
  /** The list of the files (`files.ndjson`), and what they are together. */
  readonly files: Summed & { readonly count: number; readonly bytes: number };
  /** Where each reactor stood before the log was copied. */
  readonly reactors: Readonly<Record<string, Position>>;
  /** How far the list of erasures had come: a restore needs that list, or a longer one. */
  readonly erasures: ErasureListState;
  /** Whether `keys/` holds the master key and the admin key. */
  readonly keys: boolean;
}

/** A backup that cannot be used, or a folder in which none can be put. Its message says what to do. */
export class BackupUnusable extends Error {
  override readonly name = 'BackupUnusable';
}

/** Reads a file once from end to end. */
export async function sumOfFile(path: string): Promise<Summed> {
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(createReadStream(path), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
    }
  });
  return { size, sha256: hash.digest('hex') };
}

/** The manifest of a backup; null for a folder that holds none. @throws BackupUnusable for one of another format */
export async function readManifest(folder: string): Promise<Manifest | null> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Partial<Manifest>;
    if (manifest.kind !== 'roughmix backup') return null;
    if (manifest.format !== FORMAT) throw new BackupUnusable(`${folder}: a backup of format ${String(manifest.format)}, this program knows ${FORMAT}`);
    return manifest as Manifest;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    if (error instanceof SyntaxError) throw new BackupUnusable(`${join(folder, MANIFEST)} is no JSON`);
    throw error;
  }
}
