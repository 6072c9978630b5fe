import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { acceptPut, type IncomingPut } from './accept-put.js';
import { DiskBlobStore } from './disk-blob-store.js';
import { makePutToken, readPutToken } from './storage-token.js';

const key = Buffer.alloc(32, 7);
const claims = { key: 'uploads/u1', size: 10, contentType: 'audio/wav', expiresAt: 2000 };

describe('a storage token', () => {
  const token = makePutToken(claims, key);

  test('returns its claims until it expires', () => {
    expect(token).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
    expect(readPutToken(token, key, 1999)).toEqual(claims);
    expect(readPutToken(token, key, 2000)).toBeNull();
  });

  test('is invalid with another key, another claim or another spelling', () => {
    const [, signature] = token.split('.');
    const other = Buffer.from(JSON.stringify({ ...claims, size: 11 })).toString('base64url');
    const spoiled = ['', '.', 'x', `${other}.${signature}`, `${token}=`, `${token}.x`, ` ${token}`, token.slice(0, -1), token.replace('.', '')];
    for (const bad of spoiled) expect(readPutToken(bad, key, 0)).toBeNull();
    expect(readPutToken(token, Buffer.alloc(32, 8), 0)).toBeNull();
  });
});

describe('a signed PUT', () => {
  let folder: string;
  let store: DiskBlobStore;
  let now: number;
  let token: string;
  const put = (body: Readable, more: Partial<IncomingPut> = {}) => acceptPut(store, { token, body, contentLength: null, contentType: 'audio/wav', ...more });
  const content = (length: number) => Readable.from([Buffer.from('x'.repeat(length))]);
  const files = () => everyFile(store, folder);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roughmix-put-'));
    now = 1000;
    store = await DiskBlobStore.open({ folder, signingKey: key, publicPath: '/api/storage', clock: () => now });
    const signed = await store.signPut(claims.key, claims);
    expect(signed).toEqual({ method: 'PUT', headers: { 'Content-Type': 'audio/wav' }, url: expect.stringMatching(/^\/api\/storage\/put\/[\w-]+\.[\w-]+$/) });
    token = signed.url.replace('/api/storage/put/', '');
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('stores exactly the announced bytes under its key', async () => {
    expect(await put(content(10), { contentLength: 10 })).toMatchObject({ ok: true, key: 'uploads/u1', blob: { size: 10 } });
    expect(await text(await store.read('uploads/u1'))).toBe('xxxxxxxxxx');
    expect(await files()).toEqual(['uploads/u1']);
  });

  test.each([
    ['more bytes than announced', 11, 'request.too-large'],
    ['fewer bytes than announced', 9, 'upload.damaged'],
    ['none', 0, 'upload.damaged'],
  ])('with %s is refused and stores nothing, with or without a Content-Length', async (_, length, code) => {
    expect(await put(content(length))).toEqual({ ok: false, code });
    expect(await put(content(length), { contentLength: length })).toEqual({ ok: false, code });
    expect(await put(content(length), { contentLength: 10 })).toEqual({ ok: false, code });
    expect(await files()).toEqual([]);
    expect(await put(content(10))).toMatchObject({ ok: true });
  });

  test('that is too large is refused early, and the request is not destroyed', async () => {
    const body = new PassThrough();
    body.write('x'.repeat(11));
    expect(await put(body)).toEqual({ ok: false, code: 'request.too-large' });
    expect(body.destroyed).toBe(false);
  });

  test('with another content type, a bad token or an expired one is refused', async () => {
    for (const contentType of ['text/html', null]) expect(await put(content(10), { contentType })).toEqual({ ok: false, code: 'request.invalid' });
    expect(await put(content(10), { token: 'none' })).toEqual({ ok: false, code: 'upload.not-found' });
    now = claims.expiresAt;
    expect(await put(content(10))).toEqual({ ok: false, code: 'upload.not-found' });
    expect(await files()).toEqual([]);
  });

  test('works once, even after its file was moved', async () => {
    await put(content(10));
    expect(await put(content(10))).toEqual({ ok: false, code: 'upload.used' });
    await store.move('uploads/u1', 'p/song.wav');
    expect(await put(content(10))).toEqual({ ok: false, code: 'upload.used' });
    expect(await files()).toEqual(['p/song.wav']);
  });

  test('that is aborted stores nothing and can be retried', async () => {
    const body = new PassThrough();
    const outcome = put(body);
    body.write('half');
    await begun(store);
    body.destroy();
    expect(await outcome).toEqual({ ok: false, code: 'upload.damaged' });
    expect(store.puts.isReceiving('uploads/u1')).toBe(false);
    expect(await files()).toEqual([]);
    expect(await put(content(10))).toMatchObject({ ok: true });
  });

  test('ends a hanging older one with the same token', async () => {
    const hanging = put(new PassThrough());
    await begun(store);
    expect(await put(content(10))).toMatchObject({ ok: true });
    expect(await hanging).toEqual({ ok: false, code: 'upload.damaged' });
    expect(await files()).toEqual(['uploads/u1']);
  });
});

async function begun(store: DiskBlobStore): Promise<void> {
  while (!store.puts.isReceiving('uploads/u1')) await new Promise((resolve) => setImmediate(resolve));
}

const everyFile = async (store: DiskBlobStore, folder: string) => [...(await store.list('')), ...(await readdir(join(folder, '.tmp')))];
