import { open } from 'node:fs/promises';

/** A file opened read-only for random access. */
export interface AudioFile {
  readonly size: number;
  /** The bytes from `at`; fewer than `length` at the end of the file. */
  read(at: number, length: number): Promise<Uint8Array>;
}

/** Runs `use` on the file's first `size` bytes and closes it. */
export async function withAudioFile<T>(path: string, size: number, use: (file: AudioFile) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r');
  try {
    const available = Math.min(size, (await handle.stat()).size);
    return await use({
      size: available,
      async read(at, length) {
        const wanted = Math.max(0, Math.min(length, available - at));
        const bytes = new Uint8Array(wanted);
        let filled = 0;
        while (filled < wanted) {
          const { bytesRead } = await handle.read(bytes, filled, wanted - filled, at + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return bytes.subarray(0, filled);
      },
    });
  } finally {
    await handle.close();
  }
}

/** The file's first bytes as a file of their own. */
export const upTo = (file: AudioFile, size: number): AudioFile => ({ size, read: (at, length) => file.read(at, Math.min(length, size - at)) });

/** Bytes as Latin-1 text, for signatures. */
export const textAt = (bytes: Uint8Array, at: number, length: number): string => String.fromCharCode(...bytes.subarray(at, at + length));

/** A view for reading numbers; reading past the end throws a RangeError. */
export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
