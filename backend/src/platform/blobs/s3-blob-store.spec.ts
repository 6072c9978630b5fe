import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import {
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetBucketCorsCommand,
  ListMultipartUploadsCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { blobStoreContract } from './blobs.contract.js';
import { S3BlobStore } from './s3-blob-store.js';
import { hasS3, KEY, makeBucket, PAGE, type TestBucket } from '../../testing/test-bucket.js';
import { s3Clients } from './s3-client.js';
import { signedGet, signedPut } from './s3-signing.js';
import { PIECE_BYTES } from './s3-writing.js';

const onS3 = hasS3 ? describe : describe.skip;
const MINUTE_MS = 60_000;
const announced = { size: 5, contentType: 'application/octet-stream' };

let bucket: TestBucket;
let store: S3BlobStore;
/** Gives each test its own bucket with a store on it. */
function eachWithABucket(): void {
  beforeEach(async () => {
    bucket = await makeBucket();
    store = await S3BlobStore.open(bucket.options);
  });
  afterEach(async () => {
    await store.close();
    await bucket.remove();
  });
}
const put = (url: string, body: string, headers: Readonly<Record<string, string>>): Promise<Response> => fetch(url, { method: 'PUT', body, headers });

onS3('the server at S3_ENDPOINT', () =>
  blobStoreContract('a bucket', async () => {
    const own = await makeBucket();
    return { open: () => S3BlobStore.open(own.options), remove: () => own.remove() };
  }),
);

onS3('a signed PUT', () => {
  eachWithABucket();
  const signed = () => store.signPut('uploads/u1', { ...announced, expiresAt: Date.now() + MINUTE_MS });

  test('stores exactly the announced file, once, and needs no session', async () => {
    const { url, method, headers } = await signed();
    expect([method, headers]).toEqual(['PUT', { 'Content-Type': 'application/octet-stream', 'If-None-Match': '*' }]);
    expect(url.startsWith(`${bucket.options.publicEndpoint}/${bucket.options.bucket}/uploads/u1?`)).toBe(true);
    expect((await put(url, 'tide!', headers)).status).toBe(200);
    expect(await text(await store.read('uploads/u1'))).toBe('tide!');
    expect((await put(url, 'other', headers)).status).toBe(412);
    expect(await text(await store.read('uploads/u1'))).toBe('tide!');
  });

  test.each([
    ['fewer bytes', 'tide', {}],
    ['more bytes', 'tides!', {}],
    ['another type', 'tide!', { 'Content-Type': 'text/html' }],
    ['no If-None-Match header', 'tide!', { 'If-None-Match': '' }],
  ])('with %s is refused and stores nothing', async (_what, body, changed) => {
    const { url, headers } = await signed();
    expect((await put(url, body, { ...headers, ...changed })).status).toBe(403);
    expect(await store.list('')).toEqual([]);
  });

  test('for another key, or too late, is refused', async () => {
    const { url, headers } = await signed();
    expect((await put(url.replace('uploads/u1', 'uploads/u2'), 'tide!', headers)).status).toBe(403);
    const clients = s3Clients(bucket.options);
    const life = { now: Date.now() - 2 * MINUTE_MS, expiresAt: Date.now() - MINUTE_MS };
    const old = await signedPut(clients.signer, { Bucket: bucket.options.bucket, Key: 'uploads/u1' }, { ...announced, ...life });
    expect((await put(old.url, 'tide!', old.headers)).status).toBe(403);
    clients.destroy();
  });
});

onS3('a signed GET', () => {
  eachWithABucket();
  const signed = (more = {}) => store.signGet('a/b c.wav', { expiresAt: Date.now() + MINUTE_MS, ...more });
  beforeEach(() => store.write('a/b c.wav', Buffer.from('0123456789')));

  test('returns the file or a part of it, with the type and name it was signed for', async () => {
    const answer = await fetch(await signed({ contentType: 'audio/wav', filename: 'Über "alles".wav' }));
    expect([answer.status, await answer.text()]).toEqual([200, '0123456789']);
    expect(answer.headers.get('content-type')).toBe('audio/wav');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="_ber _alles_.wav"; filename*=UTF-8''%C3%9Cber%20%22alles%22.wav`);
    const part = await fetch(await signed(), { headers: { Range: 'bytes=2-4' } });
    expect([part.status, await part.text(), part.headers.get('content-range'), part.headers.get('content-disposition')]).toEqual([
      206,
      '234',
      'bytes 2-4/10',
      null,
    ]);
  });

  test('is only valid for its file and name, until it expires', async () => {
    const url = await signed({ filename: 'song.wav' });
    for (const other of [url.replace('b%20c', 'b'), url.replace('song.wav', 'song.html')]) expect((await fetch(other)).status).toBe(403);
    const clients = s3Clients(bucket.options);
    const life = { now: Date.now() - 2 * MINUTE_MS, expiresAt: Date.now() - MINUTE_MS };
    expect((await fetch(await signedGet(clients.signer, { Bucket: bucket.options.bucket, Key: 'a/b c.wav' }, life))).status).toBe(403);
    clients.destroy();
  });
});

onS3('opening', () => {
  eachWithABucket();
  test("lets the site's pages put and read, and keeps the bucket's existing rules", async () => {
    const Bucket = bucket.options.bucket;
    const other = { AllowedOrigins: ['https://other.example'], AllowedMethods: ['GET'], AllowedHeaders: [], ExposeHeaders: [] };
    await bucket.client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [other] } }));
    for (const _time of [1, 2]) {
      const opened = await S3BlobStore.open(bucket.options);
      expect(opened.advice).toBeNull();
      await opened.close();
    }
    const { CORSRules = [] } = await bucket.client.send(new GetBucketCorsCommand({ Bucket }));
    expect(CORSRules.map(({ AllowedOrigins }) => AllowedOrigins)).toEqual([['https://other.example'], [PAGE]]);
  });

  test('makes the server allow browsers of the site', async () => {
    const { url } = await store.signPut('uploads/u1', { ...announced, expiresAt: Date.now() + MINUTE_MS });
    const asks = { Origin: PAGE, 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'content-type,if-none-match' };
    const { status, headers } = await fetch(url, { method: 'OPTIONS', headers: asks });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
    const other = await fetch(url, { method: 'OPTIONS', headers: { ...asks, Origin: 'https://evil.example' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each([
    ['no such bucket', { bucket: 'specs-nowhere' }, /^S3_BUCKET: there is no bucket specs-nowhere at http/],
    ['a wrong secret', { key: { ...KEY, secretAccessKey: 'wrong' } }, /^S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION: http\S+ rejects this key/],
    ['an unknown key', { key: { ...KEY, accessKeyId: 'nobody' } }, /^S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION: http\S+ rejects this key/],
    ['no server', { endpoint: 'http://127.0.0.1:1' }, /^S3_ENDPOINT: the S3 server at http:\/\/127\.0\.0\.1:1 does not answer$/],
  ])('with %s fails with one sentence', async (_what, changed, sentence) => {
    await expect(S3BlobStore.open({ ...bucket.options, ...changed })).rejects.toThrow(sentence);
  });

  describe('without a key', () => {
    const { env } = process;
    beforeEach(() => {
      // The chain's other places on this machine: none.
      process.env = { ...env, AWS_EC2_METADATA_DISABLED: 'true', AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' };
    });
    afterEach(() => {
      process.env = env;
    });

    test('uses the one that the chain of the client finds, also to sign for browsers', async () => {
      Object.assign(process.env, { AWS_ACCESS_KEY_ID: KEY.accessKeyId, AWS_SECRET_ACCESS_KEY: KEY.secretAccessKey });
      const chained = await S3BlobStore.open({ ...bucket.options, key: null });
      const { url, headers } = await chained.signPut('uploads/u1', { ...announced, expiresAt: Date.now() + MINUTE_MS });
      expect((await put(url, 'tide!', headers)).status).toBe(200);
      expect(await text(await chained.read('uploads/u1'))).toBe('tide!');
      await chained.close();
    });

    test('fails with one sentence when the chain finds none either', async () => {
      await expect(S3BlobStore.open({ ...bucket.options, key: null })).rejects.toThrow(/^S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: set both, or let /);
    });
  });
});

onS3('a bucket', () => {
  eachWithABucket();
  test('signed URLs use the public endpoint', async () => {
    const elsewhere = await S3BlobStore.open({ ...bucket.options, publicEndpoint: 'https://files.example' });
    const expiresAt = Date.now() + MINUTE_MS;
    expect(await elsewhere.signGet('a', { expiresAt })).toMatch(/^https:\/\/files\.example\/specs-[\w-]+\/a\?/);
    expect((await elsewhere.signPut('a', { ...announced, expiresAt })).url).toMatch(/^https:\/\/files\.example\/specs-[\w-]+\/a\?/);
    await elsewhere.close();
  });

  test('a stream longer than a part is written in parts, and a broken one leaves neither file nor parts', async () => {
    const content = Buffer.alloc(2 * PIECE_BYTES + 5, 'tide');
    const chunks = function* (until: number) {
      for (let at = 0; at < until; at += 1_000_000) yield content.subarray(at, Math.min(at + 1_000_000, until));
    };
    expect((await store.write('long', Readable.from(chunks(content.length)))).size).toBe(content.length);
    expect(content.equals(await buffer(await store.read('long')))).toBe(true);
    const broken = async function* () {
      yield* chunks(content.length);
      throw new Error('gone');
    };
    await expect(store.write('broken', Readable.from(broken()))).rejects.toThrow('gone');
    expect(await store.list('')).toEqual(['long']);
    const { Uploads = [] } = await bucket.client.send(new ListMultipartUploadsCommand({ Bucket: bucket.options.bucket }));
    expect(Uploads).toEqual([]);
  });

  test('objects of others whose names are not keys are not listed', async () => {
    const Bucket = bucket.options.bucket;
    for (const Key of ['.hidden/x', 'a/.x', 'a/folder/']) await bucket.client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.alloc(0) }));
    await store.write('a/b', Buffer.from('x'));
    expect(await store.list('')).toEqual(['a/b']);
    expect(await store.list('', { limit: 1 })).toEqual(['a/b']);
  });

  test('a key that the server lists differently is an error instead of an endless loop', async () => {
    const own = { Bucket: bucket.options.bucket, Key: 'a/of\ufffeothers' };
    await bucket.client.send(new PutObjectCommand({ ...own, Body: Buffer.alloc(0) }));
    await expect(store.removePrefix('a')).rejects.toMatchObject({
      name: 'ServiceUnavailable',
      message: 'the S3 server listed a key below a under another name',
    });
    await bucket.client.send(new DeleteObjectCommand(own));
  });

  test.each([-10, 10])('signed URLs expire on time even if our clock is %i minutes off', async (minutes) => {
    const clock = () => Date.now() + minutes * MINUTE_MS;
    const elsewhere = await S3BlobStore.open({ ...bucket.options, clock });
    const { url, headers } = await elsewhere.signPut('uploads/u1', { ...announced, expiresAt: clock() + MINUTE_MS });
    expect((await put(url, 'tide!', headers)).status).toBe(200);
    const get = await elsewhere.signGet('uploads/u1', { expiresAt: clock() + MINUTE_MS });
    expect((await fetch(get)).status).toBe(200);
    const signedAt = /X-Amz-Date=(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(get)?.slice(1) ?? [];
    const [year = 0, month = 0, ...rest] = signedAt.map(Number);
    expect(Math.abs(Date.UTC(year, month - 1, ...rest) - Date.now())).toBeLessThan(MINUTE_MS);
    await elsewhere.close();
  });

  test('a hundred stalled downloads do not block others', async () => {
    await store.write('a', Buffer.alloc(400_000));
    const held = await Promise.all(Array.from({ length: 100 }, () => store.read('a')));
    expect((await buffer(await store.read('a'))).length).toBe(400_000);
    for (const each of held) each.destroy();
  });

  test('the health check succeeds, and fails once the bucket is gone', async () => {
    await store.check();
    const other = await makeBucket();
    const opened = await S3BlobStore.open(other.options);
    await other.client.send(new DeleteBucketCommand({ Bucket: other.options.bucket }));
    await expect(opened.check()).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    await opened.close();
  });
});
