import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Refused } from '../../kernel/refusal.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { withOverride } from '../../testing/temporary-vault.js';
import type { BlobStore } from '../blobs/blobs.js';
import { sendProblem } from './problem.filter.js';
import { sendBlob } from './send-blob.js';

describe('a stored file', () => {
  let stores: TestStores;
  let blobs: BlobStore;
  let server: FastifyInstance;
  const get = (headers: Readonly<Record<string, string>> = {}, method: 'GET' | 'HEAD' = 'GET', url = '/a') => server.inject({ method, url, headers });

  beforeEach(async () => {
    stores = await openTestStores();
    blobs = stores.blobs;
    await blobs.write('a', Buffer.from('0123456789'));
    server = fastify();
    server.setErrorHandler((error, _request, reply) => sendProblem(reply, error instanceof Refused ? error.code : 'internal', {}));
    server.get('/:key', (request, reply) => {
      const { key } = request.params as { key: string };
      return sendBlob(blobs, { key, contentType: 'audio/wav', cacheControl: 'private, no-cache' }, request, reply);
    });
  });
  afterEach(async () => {
    await server.close();
    await stores.close();
  });

  test('is sent completely, with its headers', async () => {
    const { statusCode, headers, body } = await get();
    expect([statusCode, body]).toEqual([200, '0123456789']);
    const expected = {
      'content-type': 'audio/wav',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    };
    expect(headers).toMatchObject({ ...expected, etag: expect.stringMatching(/^"[^"]+"$/) });
  });

  test('is sent in part, from its end, or for HEAD without content', async () => {
    const part = await get({ range: 'bytes=2-4' });
    expect([part.statusCode, part.body, part.headers['content-range'], part.headers['content-length']]).toEqual([206, '234', 'bytes 2-4/10', '3']);
    const end = await get({ range: 'bytes=-2' });
    expect([end.statusCode, end.body, end.headers['content-range']]).toEqual([206, '89', 'bytes 8-9/10']);
    const head = await get({}, 'HEAD');
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '10']);
  });

  test('answers 416 with its size if the range is outside', async () => {
    const { statusCode, headers } = await get({ range: 'bytes=10-' });
    expect([statusCode, headers['content-range'], headers['content-type']]).toEqual([416, 'bytes */10', 'application/problem+json; charset=utf-8']);
  });

  test('is not sent again if the browser has it, and in part only if it is unchanged', async () => {
    const etag = String((await get()).headers.etag);
    const known = await get({ 'if-none-match': `"other", ${etag}` });
    expect([known.statusCode, known.body]).toEqual([304, '']);
    expect((await get({ range: 'bytes=0-1', 'if-range': etag })).statusCode).toBe(206);
    expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).statusCode).toBe(200);
  });

  test('is found among the ETags of a header with 15 kB of blanks', async () => {
    const etag = String((await get()).headers.etag);
    const blanks = ' '.repeat(7_500);
    expect((await get({ 'if-none-match': `"other"${blanks},${blanks}${etag}` })).statusCode).toBe(304);
    expect((await get({ 'if-none-match': `"other"${blanks}${blanks}"another"` })).statusCode).toBe(200);
  });

  test('that is missing is not found', async () => expect((await get({}, 'GET', '/b')).statusCode).toBe(404));

  test('that is removed between head and read is not found, and its headers are not sent', async () => {
    blobs = withOverride(stores.blobs, 'head', async (key) => {
      const found = await stores.blobs.head(key);
      await stores.blobs.remove(key);
      return found;
    });
    const { statusCode, headers } = await get({ range: 'bytes=0-1' });
    expect(statusCode).toBe(404);
    for (const name of ['etag', 'content-range', 'accept-ranges']) expect(headers).not.toHaveProperty(name);
  });
});
