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
/** The keys of an installation, if it created them itself. */
export const KEY_FILES: readonly string[] = ['master.key', 'admin.key'];
/** Raise when the layout of backups changes: a program restores only the format it knows. */
export const FORMAT = 1;

/** A file's size in bytes and its SHA-256 (hex). */
export interface FileDigest {
  readonly size: number;
  readonly sha256: string;
}

/** Describes a backup. It is written last, so a folder without it holds no backup. */
export interface Manifest {
  readonly kind: 'roughmix backup';
  readonly format: typeof FORMAT;
  readonly at: Instant;
  /** The log's identity, its last position, and the checksum of its last row, which covers all rows before it. */
  readonly log: FileDigest & { readonly identity: string; readonly position: Position; readonly sum: string };
  readonly vault: FileDigest;
  /** The list of files (`files.ndjson`), and their number and total size. */
  readonly files: FileDigest & { readonly count: number; readonly bytes: number };
  /** Each reactor's checkpoint before the log was copied. */
  readonly reactors: Readonly<Record<string, Position>>;
  /** The state of the list of erasures: a restore needs this list or a continuation of it. */
  readonly erasures: ErasureListState;
  /** Whether `keys/` holds the master key and the admin key. */
  readonly keys: boolean;
}

/** The backup cannot be used, or the folder cannot hold one. The message says what to do. */
export class BackupUnusable extends Error {
  override readonly name = 'BackupUnusable';
}

/** Reads a file once, as a stream. */
export async function digestOf(path: string): Promise<FileDigest> {
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

/** The manifest of a backup; null if the folder is not a backup. @throws BackupUnusable if its format is not supported */
export async function readManifest(folder: string): Promise<Manifest | null> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Partial<Manifest>;
    if (manifest.kind !== 'roughmix backup') return null;
    if (manifest.format !== FORMAT) throw new BackupUnusable(`${folder}: backup format ${String(manifest.format)} is not supported, only ${FORMAT}`);
    return manifest as Manifest;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    if (error instanceof SyntaxError) throw new BackupUnusable(`${join(folder, MANIFEST)} is not valid JSON`);
    throw error;
  }
}
