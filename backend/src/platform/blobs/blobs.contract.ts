import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { BlobMissing, type BlobStore } from './blobs.js';

/** The storage of one test: `open` can be called again after closing, and `remove` deletes it. */
export interface BlobStorage {
  readonly open: () => Promise<BlobStore>;
  readonly remove: () => Promise<void>;
}

/** What every blob store promises; each adapter's spec calls it with fresh storage per test. */
export function blobStoreContract(name: string, fresh: () => Promise<BlobStorage>): void {
  describe(`${name} as a blob store`, () => {
    let storage: BlobStorage;
    let store: BlobStore;
    const write = (key: string, content: string) => store.write(key, Buffer.from(content));
    const read = async (key: string) => text(await store.read(key));

    beforeEach(async () => {
      storage = await fresh();
      store = await storage.open();
    });
    afterEach(async () => {
      await store.close();
      await storage.remove();
    });

    test('a file is read back byte by byte after reopening, whether written from memory or a stream', async () => {
      const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
      const pieces = [content.subarray(0, 100_000), content.subarray(100_000)];
      expect((await store.write('a/whole', content)).size).toBe(300_000);
      expect((await store.write('a/streamed', Readable.from(pieces))).size).toBe(300_000);
      await write('a/empty', '');
      await store.close();
      store = await storage.open();
      for (const key of ['a/whole', 'a/streamed']) expect(content.equals(await buffer(await store.read(key)))).toBe(true);
      expect(await read('a/empty')).toBe('');
    });

    test('the health check of an open store succeeds', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });

    test('keys may be in any script', async () => {
      const key = 'uid/Ünder Wäter 曲 🎸 100% #1?.wav';
      await write(key, 'x');
      expect(await store.list('uid')).toEqual([key]);
      expect(await read(key)).toBe('x');
    });

    test.each([
      ['', 'empty'],
      ['/etc/passwd', 'absolute'],
      ['a//b', 'with an empty part'],
      ['a/', 'with an empty end'],
      ['../a', 'upwards'],
      ['a/../b', 'with a parent folder in the middle'],
      ['a/.hidden', 'hidden'],
      ['a\u0000b', 'with a NUL character'],
      ['a\nb', 'with a line break'],
      ['a\\b', 'with a backslash'],
      ['e\u0301', 'not in composed form'],
      ['\ud800', 'with a lone surrogate'],
      ['a\ufffeb', 'with a noncharacter'],
      [`a/${'ü'.repeat(101)}`, 'with a part over 200 bytes'],
      ['abc/'.repeat(300) + 'd', 'over 1,024 bytes'],
    ])('the key %j is refused by every method (%s)', async (key) => {
      const refused = { name: 'BlobKeyInvalid' };
      await expect(write(key, 'x')).rejects.toMatchObject(refused);
      await expect(store.read(key)).rejects.toMatchObject(refused);
      await expect(store.head(key)).rejects.toMatchObject(refused);
      await expect(store.remove(key)).rejects.toMatchObject(refused);
      await expect(store.removePrefix(key)).rejects.toMatchObject(refused);
      await expect(store.move(key, 'b')).rejects.toMatchObject(refused);
      await expect(store.move('b', key)).rejects.toMatchObject(refused);
      await expect(store.withLocalFile(key, async () => 1)).rejects.toMatchObject(refused);
      await expect(store.signPut(key, { size: 1, contentType: 'audio/wav', expiresAt: Date.now() + 60_000 })).rejects.toMatchObject(refused);
    });

    test('the info of a file is its size, its time and a validator that changes with the content', async () => {
      const before = Date.now();
      const first = await write('a', 'one');
      expect(first).toEqual(await store.head('a'));
      expect(first).toEqual({ size: 3, etag: expect.stringMatching(/^"[^"]+"$/), modified: expect.any(Number) });
      expect(Math.abs(first.modified - before)).toBeLessThan(60_000);
      expect((await write('a', 'two')).etag).not.toBe(first.etag);
      expect(await store.head('b')).toBeNull();
    });

    test('a range returns exactly its bytes, both ends included, up to the end of the file', async () => {
      await write('a', '0123456789');
      const range = async (start: number, end: number) => text(await store.read('a', { start, end }));
      expect(await range(0, 0)).toBe('0');
      expect(await range(3, 5)).toBe('345');
      expect(await range(9, 9)).toBe('9');
      expect(await range(7, 99)).toBe('789');
    });

    test('reading a missing file throws BlobMissing', async () => {
      await write('a/b', 'x');
      for (const key of ['missing', 'a', 'a/b/c']) {
        await expect(store.read(key)).rejects.toThrow(BlobMissing);
        await expect(store.withLocalFile(key, async () => 1)).rejects.toThrow(BlobMissing);
        await expect(store.move(key, 'elsewhere')).rejects.toThrow(BlobMissing);
        expect(await store.head(key)).toBeNull();
      }
    });

    test('a file appears whole or not at all: a failing stream leaves nothing, and an existing file unchanged', async () => {
      await write('old', 'kept');
      const failing = () =>
        Readable.from(
          (async function* () {
            yield Buffer.from('half');
            throw new Error('gone');
          })(),
        );
      await expect(store.write('new', failing())).rejects.toThrow('gone');
      await expect(store.write('old', failing())).rejects.toThrow('gone');
      expect(await store.list('')).toEqual(['old']);
      expect(await read('old')).toBe('kept');
    });

    test('after two concurrent writes to one key, the file is one of them, whole', async () => {
      const contents = ['a', 'b', 'c'].map((letter) => letter.repeat(200_000));
      await Promise.all(contents.map((content) => write('a', content)));
      expect(contents).toContain(await read('a'));
    });

    test('a move replaces the target and can be repeated', async () => {
      await write('uploads/u1', 'new');
      await write('p/v/1_0-song.wav', 'old');
      await store.move('uploads/u1', 'p/v/1_0-song.wav');
      await store.move('uploads/u1', 'p/v/1_0-song.wav');
      expect(await read('p/v/1_0-song.wav')).toBe('new');
      expect(await store.list('')).toEqual(['p/v/1_0-song.wav']);
      await store.move('p/v/1_0-song.wav', 'p/v/1_0-song.wav');
      expect(await read('p/v/1_0-song.wav')).toBe('new');
    });

    test('concurrent identical moves all succeed', async () => {
      for (let round = 0; round < 20; round += 1) {
        await write('uploads/u1', 'song');
        await Promise.all(Array.from({ length: 4 }, () => store.move('uploads/u1', `p/v/${round}`)));
        expect(await read(`p/v/${round}`)).toBe('song');
        expect(await store.head('uploads/u1')).toBeNull();
      }
    });

    test('a removal removes one file, and removing a missing one succeeds', async () => {
      await write('a/b', 'x');
      await write('a/c', 'y');
      await store.remove('a/b');
      await store.remove('a/b');
      expect(await store.list('a')).toEqual(['a/c']);
    });

    test('removing a prefix removes and counts the files below it, and leaves its neighbours', async () => {
      for (const key of ['p/1/a', 'p/1/b/c', 'p/10/a', 'p/2']) await write(key, 'x');
      expect(await store.removePrefix('p/1')).toBe(2);
      expect(await store.removePrefix('p/1')).toBe(0);
      expect(await store.list('p')).toEqual(['p/10/a', 'p/2']);
    });

    test('a list contains only keys below the prefix, in byte order and in pages', async () => {
      const keys = ['a-b', 'a/b', 'a/b-c', 'a/b0', 'a/é', 'ab', 'b'];
      for (const key of keys.toReversed()) await write(key, 'x');
      expect(await store.list('')).toEqual(keys);
      expect(await store.list('a')).toEqual(['a/b', 'a/b-c', 'a/b0', 'a/é']);
      expect(await store.list('', { limit: 2 })).toEqual(['a-b', 'a/b']);
      expect(await store.list('', { after: 'a/b', limit: 2 })).toEqual(['a/b-c', 'a/b0']);
      expect(await store.list('', { after: 'a/é' })).toEqual(['ab', 'b']);
      expect(await store.list('', { after: 'a' })).toEqual(keys);
      expect(await store.list('nothing')).toEqual([]);
    });

    test('concurrent removals of a file all succeed', async () => {
      for (let round = 0; round < 20; round += 1) {
        await store.write('p/a', Buffer.from('x'));
        await Promise.all([store.remove('p/a'), store.remove('p/a'), store.remove('p/a'), store.removePrefix('p'), store.removePrefix('p')]);
        expect(await store.list('')).toEqual([]);
      }
    });

    test('a local file is whole while it is used, even if the key is removed meanwhile', async () => {
      await write('a', 'song');
      const content = await store.withLocalFile('a', async (path) => {
        await store.remove('a');
        return readFile(path, 'utf8');
      });
      expect(content).toBe('song');
      expect(await store.head('a')).toBeNull();
      await write('b', 'song');
      await expect(store.withLocalFile('b', () => Promise.reject(new Error('no use')))).rejects.toThrow('no use');
      expect(await store.list('')).toEqual(['b']);
    });

    test('a local file removed at the same moment is either whole or missing', async () => {
      for (let round = 0; round < 20; round += 1) {
        await write('p/a', 'song');
        const removed = store.remove('p/a');
        const using = Array.from({ length: 10 }, async (_, at) => {
          for (let looks = 0; looks < at; looks += 1) await store.head('p/a');
          return store.withLocalFile('p/a', (path) => readFile(path, 'utf8'));
        });
        const results = (await Promise.allSettled(using)).map((end): unknown => (end.status === 'fulfilled' ? end.value : end.reason));
        expect(results.filter((each) => each !== 'song' && !(each instanceof BlobMissing))).toEqual([]);
        await removed;
      }
      expect(await store.list('')).toEqual([]);
    });

    test('a read in progress completes, even if the file is removed or replaced meanwhile', async () => {
      await write('a', 'x'.repeat(600_000));
      const reading = await store.read('a');
      await write('a', 'new');
      await store.remove('a');
      expect(await text(reading)).toHaveLength(600_000);
    });
  });
}
