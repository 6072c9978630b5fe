import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CommentAddedAnswer } from '@roughmix/contracts/comments/comment.view.js';
import sharp from 'sharp';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { addVersion, analysed, announce, aProjectWith, putBytes, smallWav, type CreatedProject, upload } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused } from '../testing/test-client.js';
// What the process that decodes images blocks is blocked here too.
import '../platform/images/decoding.js';

let app: TestApp;
let ana: Person;
let created: CreatedProject;
beforeAll(async () => {
  app = await startApp({}, { hasChildProcesses: true });
  ana = await app.person('Ana');
  created = await aProjectWith(ana);
});
afterAll(() => app.stop());

const HTML = '<html><script>alert(document.domain)</script></html>';

/** A WAV with an HTML page in a chunk before its samples. */
function wavWithPage(): Uint8Array {
  const plain = Buffer.from(smallWav());
  const page = Buffer.from(HTML.padEnd(HTML.length + (HTML.length % 2)));
  const chunk = Buffer.concat([Buffer.from('html'), Buffer.alloc(4), page]);
  chunk.writeUInt32LE(page.length, 4);
  const whole = Buffer.concat([plain.subarray(0, 12), chunk, plain.subarray(12)]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

async function version(bytes: Uint8Array, filename: string): Promise<string> {
  const { uploadId } = await upload(ana, bytes, { projectId: created.projectId, filename });
  const submission = { projectId: created.projectId, uploadId, tinySummary: 'x' };
  return bodyOf(await ana.post<{ versionId: string }>('/api/media', { submission })).versionId;
}

/** A comment whose image has arrived and is put in by `use`. */
async function readyImage(bytes: Uint8Array, filename = 'a.png'): Promise<{ readonly id: string; readonly use: () => Promise<Answer> }> {
  const { projectId } = created;
  const begun = await ana.post<CommentAddedAnswer>('/api/comments', { projectId, submission: { type: 'image', content: { filename } } });
  const id = bodyOf(begun).newComment._id;
  const { uploadId } = await upload(ana, bytes, { projectId, purpose: 'comment-image', commentId: id, filename });
  return { id, use: () => ana.put(`/api/comments/${id}`, { projectId, submission: { content: { uploadId } } }) };
}

async function imageComment(bytes: Uint8Array, filename?: string): Promise<{ readonly id: string; readonly answer: Answer }> {
  const { id, use } = await readyImage(bytes, filename);
  return { id, answer: await use() };
}

describe('a file that is both a song and an HTML page', () => {
  test('is served as audio only: with its own type, no sniffing, in a sandbox, and as an attachment when downloaded', async () => {
    const versionId = await version(wavWithPage(), '..\\songs/song.html');
    const saved = 'attachment; filename="song.html"; filename*=UTF-8\'\'song.html';
    for (const [what, disposition] of [
      ['audio', null],
      ['download', saved],
    ]) {
      const { headers } = await ana.raw('HEAD', `/api/media/${versionId}/${what}`);
      expect(headers.get('content-type')).toBe('audio/wav');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*sandbox$/);
      expect(headers.get('content-disposition')).toBe(disposition);
    }
  });

  test('with a picture instead of a song keeps nothing but the picture', async () => {
    const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .withExif({ IFD0: { ImageDescription: HTML } })
      .jpeg()
      .toBuffer();
    const { id, answer } = await imageComment(Buffer.concat([jpeg, Buffer.from(HTML)]), 'a.html');
    expect(answer.status).toBe(200);
    const served = await ana.raw('GET', `/api/comments/${id}/image`);
    expect([served.headers.get('content-type'), served.headers.get('x-content-type-options')]).toEqual(['image/jpeg', 'nosniff']);
    expect(Buffer.from(await served.arrayBuffer()).includes('script')).toBe(false);
  });
});

/** A PNG that claims a size, with hardly any data. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0], 8);
  const rows = deflateSync(Buffer.alloc(64 * 1024));
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A GIF with a large canvas and one-pixel frames: fifteen bytes per full picture. */
function gifOf(frames: number, side: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(side, 0);
  size.writeUInt16LE(side, 2);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  const parts = [Buffer.from('GIF89a'), size, Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])];
  return Buffer.concat([...parts, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

const TOO_LONG = 'Animations can have at most 1,000 frames, and 20 megapixels in all frames together';

describe('a decompression bomb', () => {
  test.each([
    ['of 2,500 million pixels in a few bytes', () => pngOf(50_000, 50_000), 'Images can have at most 50 megapixels'],
    ['as a GIF with 5,000 frames of 1,000 by 1,000', () => gifOf(5_000, 1_000), TOO_LONG],
    ['as a GIF with 501 frames of 200 by 200', () => gifOf(501, 200), TOO_LONG],
    ['as a GIF with 1,001 frames of one pixel', () => gifOf(1_001, 1), TOO_LONG],
  ])('%s is refused', async (_what, bytes, detail) => {
    const { answer } = await imageComment(bytes());
    expectRefused(answer, 'upload.image-too-large', { detail });
  });

  test('is not an animation of 1,000 frames or a still picture with more pixels', async () => {
    expect((await imageComment(gifOf(1_000, 100))).answer.status).toBe(200);
    expect((await imageComment(gifOf(1, 5_000))).answer.status).toBe(200);
  });

  test('of the maximum PNG width is refused', async () => {
    const { answer } = await imageComment(pngOf(0x7fffffff, 1));
    expectRefused(answer, 'upload.not-image');
  });

  test('a small animation is accepted', async () => {
    const frame = (red: number) => sharp({ create: { width: 20, height: 20, channels: 3, background: { r: red, g: 0, b: 0 } } });
    const frames = await Promise.all([0, 60, 120, 180, 240].map((red) => frame(red).png().toBuffer()));
    const { id, answer } = await imageComment(
      await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer(),
    );
    expect(answer.status).toBe(200);
    const served = await ana.raw('GET', `/api/comments/${id}/image`);
    expect(await sharp(Buffer.from(await served.arrayBuffer()), { animated: true }).metadata()).toMatchObject({ format: 'gif', pages: 5, pageHeight: 20 });
  });

  test.each([
    ['that references a file', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd" width="9" height="9"/></svg>'],
    ['with nested entities', '<!DOCTYPE s [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"><text>&b;</text></svg>'],
  ])('an SVG %s is refused without parsing', async (_what, svg) => {
    expectRefused((await imageComment(Buffer.from(svg))).answer, 'upload.not-image');
    await expect(sharp(Buffer.from(svg)).metadata()).rejects.toThrow(/unsupported|loader/i);
  });
});

test('pictures of one person that take long do not delay the first of another', async () => {
  const bob = await app.person('Bob');
  const { uploadId } = await upload(bob, pngOf(300, 300), { purpose: 'profile-photo' });
  const slow = [await readyImage(gifOf(500, 200)), await readyImage(gifOf(500, 200))];
  // Their first one is behind them.
  expect((await imageComment(pngOf(20, 20))).answer.status).toBe(200);
  const ended: string[] = [];
  const note = (who: string) => (answer: Answer) => ended.push(`${who} ${answer.status}`);
  await Promise.all([...slow.map(({ use }) => use().then(note('Ana'))), bob.put(`/api/users/${bob.uid}/photo`, { uploadId }).then(note('Bob'))]);
  expect(ended).toEqual(['Bob 200', 'Ana 200', 'Ana 200']);
});

test('a hostile file name cannot change the path or inject headers', async () => {
  const before = new Set(await app.blobs());
  const versionId = await version(smallWav(), '../../etc/x\0\u202e\r\nSet-Cookie: a=b"; filename=evil.html');
  const added = (await app.blobs()).filter((path) => !before.has(path) && path.includes(versionId) && !path.includes('peaks'));
  expect(added).toEqual([`${ana.uid}/ProjectMediaFiles/${created.projectId}/${versionId}/1_2-audio`]);
  const { headers } = await ana.raw('HEAD', `/api/media/${versionId}/download`);
  expect(headers.get('set-cookie')).toBeNull();
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\x20-\x21\x23-\x7e]*"; filename\*=UTF-8''[\w.!~'%-]*$/);
});

describe('the signed URL of an upload', () => {
  test('is valid for one file only: no other key, size, type, time or signature', async () => {
    const announced = bodyOf(await announce(ana, { projectId: created.projectId }));
    const [claims = '', signature = ''] = (announced.url.split('/').at(-1) ?? '').split('.');
    const signed = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    const forged = (changes: object): string => Buffer.from(JSON.stringify({ ...signed, ...changes })).toString('base64url');
    const tokens = [
      ...[{ key: '../vault.db' }, { key: 'uploads/x' }, { size: 1e9 }, { contentType: 'text/html' }, { expiresAt: 9e15 }].map(
        (changes) => `${forged(changes)}.${signature}`,
      ),
      `${claims}.${'A'.repeat(43)}`,
      `${claims}.`,
      `${claims}.${signature}.${signature}`,
      `${claims}.${signature}=`,
      claims,
      '..%2f..%2fvault.db',
    ];
    for (const token of tokens) {
      expectRefused(await ana.send('PUT', `/api/storage/put/${token}`, { body: new Uint8Array(smallWav()), headers: announced.headers }), 'upload.not-found');
    }
    expect((await putBytes(ana, announced, smallWav())).status).toBe(204);
  });
});

test('the program keeps running after all of this', async () => {
  const { _id } = await addVersion(ana, created.projectId);
  for (const versionId of [created.versionId, _id]) expect(await analysed(ana, versionId)).toMatchObject({ state: 'ready' });
});
