import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CommentAddedAnswer, CommentEditedAnswer, ImageContent, ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import sharp, { type Sharp } from 'sharp';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { receivedDuring, TestSockets } from '../testing/test-sockets.js';
import { announce, aProjectWith, comment, upload } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, keysOf, statusAndCode } from '../testing/test-client.js';

const listening = new TestSockets();
let app: TestApp;
let ana: Person;
let bob: Person;
let projectId: string;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
  ({ projectId } = await aProjectWith(ana, { viewers: [`${bob.uid}-1`] }));
  await app.reactorsIdle();
});
afterAll(() => listening.stop(app));

const picture = (width = 40, height = 30): Sharp => sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });

async function begin(): Promise<string> {
  const submission = { type: 'image', content: { filename: 'Pult.jpg' } };
  return bodyOf(await bob.post<CommentAddedAnswer>('/api/comments', { projectId, submission })).newComment._id;
}

const put = (who: Person, id: string, uploadId: string): Promise<Answer<CommentEditedAnswer>> =>
  who.put(`/api/comments/${id}`, { projectId, submission: { content: { uploadId } } });

async function withImage(bytes: Uint8Array): Promise<{ id: string; answer: Answer<CommentEditedAnswer> }> {
  const id = await begin();
  const { uploadId } = await upload(bob, bytes, { projectId, purpose: 'comment-image', commentId: id, filename: 'Pult.jpg' });
  return { id, answer: await put(bob, id, uploadId) };
}

const contentOf = (answer: Answer<CommentEditedAnswer>): ImageContent => (bodyOf(answer).updatedContent as ActiveComment).content as ImageContent;

test('an image comment starts without its image, is announced once that is stored, and then shows it', async () => {
  const watching = await listening.socket(ana, projectId);
  await receivedDuring(ana, projectId, [watching]);
  const answer = await bob.post<CommentAddedAnswer>('/api/comments', { projectId, submission: { type: 'image', content: { filename: 'Pult.png' } } });
  const { newComment } = bodyOf(answer);
  expect(newComment).toMatchObject({ type: 'image', content: { mediaUrl: null, filename: 'Pult.png', width: null, height: null } });
  expectRefused(await ana.get(`/api/comments/${newComment._id}/image`), 'comment.not-found');
  const bytes = await picture().png().toBuffer();
  const announced = await upload(bob, bytes, { projectId, purpose: 'comment-image', commentId: newComment._id, filename: 'Pult.png' });
  expect(announced.versionId).toBeNull();
  expect((await receivedDuring(ana, projectId, [watching])).received).toEqual([[]]);
  const edited = await put(bob, newComment._id, announced.uploadId);
  expect(keysOf(edited.body)).toEqual(['updatedContent', 'updatedProject']);
  const content = contentOf(edited);
  expect(content).toMatchObject({ mediaUrl: `/api/comments/${newComment._id}/image`, filename: 'Pult.png', width: 40, height: 30 });
  const message = await watching.until(({ body }) => body.type === 'CommentAdded');
  expect(message.body.view).toMatchObject({ _id: newComment._id, content });

  const image = await ana.raw('GET', `/api/comments/${newComment._id}/image`);
  const served = Buffer.from(await image.arrayBuffer());
  expect([image.status, image.headers.get('content-type'), image.headers.get('x-content-type-options')]).toEqual([200, 'image/png', 'nosniff']);
  expect(await sharp(served).metadata()).toMatchObject({ format: 'png', width: 40, height: 30 });
  expectRefused(await put(bob, newComment._id, announced.uploadId), 'upload.not-found');
  expectRefused(await bob.put(`/api/comments/${newComment._id}`, { submission: { content: 'words' } }), 'comment.not-text');
});

test.each(['png', 'jpeg', 'gif', 'webp'] as const)('%s is accepted and re-encoded', async (format) => {
  const { id, answer } = await withImage(await picture().toFormat(format).toBuffer());
  expect(contentOf(answer)).toMatchObject({ width: 40, height: 30 });
  const image = await ana.raw('GET', `/api/comments/${id}/image`);
  expect([image.status, image.headers.get('content-type')]).toEqual([200, `image/${format}`]);
  expect((await sharp(Buffer.from(await image.arrayBuffer())).metadata()).format).toBe(format);
});

test('the stored photo is upright and contains no location', async () => {
  const exif = {
    IFD0: { Make: 'Secretcam', Orientation: '6' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' },
  };
  const bytes = await picture().withExif(exif).jpeg().toBuffer();
  expect(bytes.includes('Secretcam')).toBe(true);
  const { id, answer } = await withImage(bytes);
  expect(answer.status).toBe(200);
  const image = await ana.raw('GET', `/api/comments/${id}/image`);
  const served = Buffer.from(await image.arrayBuffer());
  const { exif: kept, orientation } = await sharp(served).metadata();
  expect([served.includes('Secretcam'), kept, orientation]).toEqual([false, undefined, undefined]);
});

test.each<[what: string, bytes: () => Promise<Uint8Array>]>([
  ['text', () => Promise.resolve(Buffer.from('no picture'))],
  ['an SVG', () => Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'))],
  ['a TIFF', () => picture().tiff().toBuffer()],
  ['half a PNG', async () => (await picture(400, 300).png({ compressionLevel: 0 }).toBuffer()).subarray(0, 9_000)],
])('%s is refused and not stored', async (_what, bytes) => {
  const blobs = await app.blobs();
  const { id, answer } = await withImage(await bytes());
  expectRefused(answer, 'upload.not-image');
  expect(await app.blobs()).toEqual(blobs);
  expectRefused(await ana.get(`/api/comments/${id}/image`), 'comment.not-found');
});

test('an image of 10 MB may be uploaded, one byte more may not', async () => {
  const id = await begin();
  const asked = { projectId, purpose: 'comment-image', commentId: id } as const;
  expect(statusAndCode(await announce(bob, { ...asked, size: 10_000_000 }))).toBe('201');
  expect(statusAndCode(await announce(bob, { ...asked, size: 10_000_001 }))).toBe('400 upload.image-too-large');
});

test('an empty image is refused before the upload', async () => {
  expectRefused(await announce(bob, { projectId, purpose: 'comment-image', commentId: await begin(), size: 0 }), 'upload.empty');
});

test('an upload for another comment, for a version, or that does not exist is refused', async () => {
  const [id, otherId] = [await begin(), await begin()];
  const bytes = await picture().png().toBuffer();
  const elsewhere = await upload(bob, bytes, { projectId, purpose: 'comment-image', commentId: otherId });
  expectRefused(await put(bob, id, elsewhere.uploadId), 'upload.not-found');
  expectRefused(await put(bob, id, 'nothing'), 'upload.not-found');
  expectRefused(await put(ana, id, elsewhere.uploadId), 'comment.not-yours');
  const words = await comment(bob, projectId);
  expect((await announce(bob, { projectId, purpose: 'comment-image', commentId: words._id })).status).toBe(404);
  expect((await put(bob, words._id, elsewhere.uploadId)).status).toBe(404);
});

test('the same image sent twice at once is added once', async () => {
  const id = await begin();
  const { uploadId } = await upload(bob, await picture().png().toBuffer(), { projectId, purpose: 'comment-image', commentId: id });
  const send = (): Promise<Answer> => bob.put(`/api/comments/${id}`, { projectId, submission: { content: { uploadId } } }, { 'Idempotency-Key': 'image' });
  const answers = await Promise.all(Array.from({ length: 20 }, send));
  expect(new Set(answers.map(statusAndCode))).toEqual(new Set(['200']));
  expect((await ana.raw('GET', `/api/comments/${id}/image`)).status).toBe(200);
});
