import type { NewUploadAnswer } from '@roughmix/contracts/media/upload.api.js';
import type { PhotoAnswer } from '@roughmix/contracts/users/user.view.js';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { type Person, startApp, type TestApp } from '../../testing/app.js';
import { analysed, announce, aProjectWith, comment, editPermissions, diff, putBytes, smallWav, upload } from '../../testing/project-over-http.js';
import { bodyOf, expectRefused, statusAndCode } from '../../testing/test-client.js';
import { S3BlobStore } from './s3-blob-store.js';
import { hasS3, KEY, makeBucket, type TestBucket } from '../../testing/test-bucket.js';

const NAME = 'Überarbeitung "3".wav';

/** Sends part of the announced bytes and disconnects. */
const cutOff = ({ url, headers }: NewUploadAnswer, bytes: Uint8Array, sent: number): Promise<void> =>
  new Promise((resolve) => {
    const put = request(url, { method: 'PUT', headers: { ...headers, 'content-length': String(bytes.length) } }, (answer) =>
      answer.resume().once('end', resolve),
    );
    put.once('error', () => resolve());
    put.write(bytes.subarray(0, sent), () => put.destroy(new Error('hung up')));
  });

/** Against the server at S3_ENDPOINT. */
const onS3 = hasS3 ? test : test.skip;
let bucket: TestBucket;
let store: S3BlobStore;
let app: TestApp;
let ana: Person;
let bob: Person;
let eve: Person;
let projectId: string;
let versionId: string;

beforeAll(async () => {
  if (!hasS3) return;
  bucket = await makeBucket();
  store = await S3BlobStore.open(bucket.options);
  const { endpoint, region } = bucket.options;
  const keys = { S3_REGION: region, S3_ACCESS_KEY_ID: KEY.accessKeyId, S3_SECRET_ACCESS_KEY: KEY.secretAccessKey };
  app = await startApp({ S3_ENDPOINT: endpoint, S3_BUCKET: bucket.options.bucket, ...keys });
  [ana, bob, eve] = await app.people('Ana', 'Bob', 'Eve');
  ({ projectId, versionId } = await aProjectWith(ana, { filename: NAME, collaborators: [bob] }));
  await analysed(ana, versionId);
});
afterAll(async () => {
  if (!hasS3) return;
  await app.stop();
  await store.close();
  await bucket.remove();
});

const audio = (): string => `/api/media/${versionId}/audio`;
const addressIn = (answer: { readonly status: number; readonly headers: Headers }): string => {
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'private, no-store']);
  return answer.headers.get('location') ?? '';
};

onS3('files are stored only in the bucket, under the paths of the spec', async () => {
  const keys = await store.list('');
  expect(keys.every((key) => key.startsWith(`${ana.uid}/ProjectMediaFiles/${projectId}/${versionId}/`))).toBe(true);
  expect(keys.filter((key) => !key.includes('/peaks-'))).toHaveLength(1);
  expect(keys.length).toBeGreaterThan(1);
  expect((await ana.get(`/api/media/${versionId}/peaks`)).status).toBe(200);
});

onS3('a browser is redirected to the audio, whole or in part, for five minutes', async () => {
  const address = addressIn(await ana.get(audio()));
  expect(new URL(address).searchParams.get('X-Amz-Expires')).toBe('300');
  const whole = await fetch(address);
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  expect(Buffer.from(smallWav()).equals(Buffer.from(await whole.arrayBuffer()))).toBe(true);
  expect((await fetch(address, { headers: { Range: 'bytes=0-99' } })).headers.get('content-range')).toBe(`bytes 0-99/${smallWav().length}`);
  expect((await ana.send('HEAD', audio())).headers.get('content-length')).toBe(String(smallWav().length));
});

onS3('a download must start within a minute and has the name of the uploaded file', async () => {
  const address = addressIn(await bob.get(`/api/media/${versionId}/download`));
  expect(new URL(address).searchParams.get('X-Amz-Expires')).toBe('60');
  const disposition = `attachment; filename="_berarbeitung _3_.wav"; filename*=UTF-8''%C3%9Cberarbeitung%20%223%22.wav`;
  expect((await fetch(address)).headers.get('content-disposition')).toBe(disposition);
});

onS3('a user who loses access gets no signed URL from then on', async () => {
  expectRefused(await eve.get(audio()), 'version.not-found');
  bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 1)]));
  expectRefused(await bob.get(`/api/media/${versionId}/download`), 'version.no-download');
  addressIn(await bob.get(audio()));
  bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 1, { removed: true })]));
  expectRefused(await bob.get(audio()), 'version.not-found');
});

onS3('pictures are served by this server', async () => {
  const { _id } = await comment(ana, projectId, { type: 'image', content: { filename: 'a.png' } });
  const picture = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const { uploadId } = await upload(ana, picture, { projectId, purpose: 'comment-image', commentId: _id, filename: 'a.png' });
  bodyOf(await ana.put(`/api/comments/${_id}`, { projectId, submission: { content: { uploadId } } }));
  const { status, headers } = await ana.get(`/api/comments/${_id}/image`);
  expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
});

onS3('a profile photo is stored in the bucket and served by this server; a replaced one is deleted', async () => {
  const photo = async (): Promise<string> => {
    const bytes = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { uploadId } = await upload(ana, bytes, { purpose: 'profile-photo' });
    return bodyOf(await ana.put<PhotoAnswer>(`/api/users/${ana.uid}/photo`, { uploadId })).smallPhoto;
  };
  const before = await photo();
  const after = await photo();
  expectRefused(await app.anonymous.get(before), 'route.not-found');
  const { status, headers } = await app.anonymous.get(after);
  expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
  await app.reactorsIdle();
  expect(await store.list(`${ana.uid}/Images/ProfilePictures`)).toHaveLength(2);
});

onS3('an upload that was cut off never becomes a version, however much was stored; the next one does', async () => {
  const bytes = smallWav();
  const use = (uploadId: string) => ana.post('/api/media', { submission: { projectId, uploadId, tinySummary: 'x' } });
  for (const sent of [0, 1, 44, bytes.length - 1]) {
    const announced = bodyOf(await announce(ana, { projectId, size: bytes.length }));
    await cutOff(announced, bytes, sent);
    expectRefused(await use(announced.uploadId), 'upload.not-found');
  }
  // Some servers store a partial body as a whole object.
  const stored = bodyOf(await announce(ana, { projectId, size: bytes.length }));
  await store.write(`uploads/${stored.uploadId}`, Buffer.from(bytes.subarray(0, 60)));
  expect((await putBytes(ana, stored, bytes)).status).toBe(412);
  expectRefused(await use(stored.uploadId), 'upload.not-found');
  expect(statusAndCode(await use((await upload(ana, bytes, { projectId })).uploadId))).toBe('201');
});

onS3('a removed file is not found, neither here nor by an earlier signed URL', async () => {
  const address = addressIn(await ana.get(audio()));
  for (const key of await store.list(`${ana.uid}/ProjectMediaFiles/${projectId}/${versionId}`)) await store.remove(key);
  expect((await fetch(address)).status).toBe(404);
  expectRefused(await ana.get(audio()), 'version.not-found');
});

onS3('readiness reports an S3 server that is down, and everything else keeps working', async () => {
  const { body } = await ana.get<{ status: string; stores: Record<string, string> }>('/health/ready');
  expect([body.status, body.stores]).toEqual(['ready', { log: 'ok', vault: 'ok', documents: 'ok', files: 'ok' }]);
});
