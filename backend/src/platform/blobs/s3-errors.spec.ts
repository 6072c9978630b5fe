import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { S3BlobStore } from './s3-blob-store.js';
import { PAGE } from '../../testing/test-bucket.js';

describe('an S3 server that answers badly', () => {
  const isPutOfA = ({ method, url }: IncomingMessage): boolean => method === 'PUT' && url?.startsWith('/mix/a') === true;
  const answering = async (status: number, code: string, isMeant = isPutOfA): Promise<{ readonly store: Promise<S3BlobStore>; readonly close: () => void }> => {
    const server = createServer((request, answer) => {
      const isBad = isMeant(request);
      request
        .resume()
        .once('end', () =>
          answer.writeHead(isBad ? status : 200, { 'content-type': 'application/xml' }).end(isBad ? `<Error><Code>${code}</Code></Error>` : '<X/>'),
        );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const keys = { region: 'us-east-1', bucket: 'mix', key: { accessKeyId: 'key', secretAccessKey: 'secret' } };
    const store = S3BlobStore.open({ endpoint, publicEndpoint: endpoint, ...keys, pageOrigin: PAGE, clock: Date.now });
    return { store, close: () => server.close() };
  };

  test.each([
    [507, 'InsufficientStorage', 'DiskFull'],
    [403, 'QuotaExceeded', 'DiskFull'],
    [507, 'XMinioStorageFull', 'DiskFull'],
    [503, 'SlowDown', 'ServiceUnavailable'],
    [500, 'InternalError', 'ServiceUnavailable'],
    [403, 'AccessDenied', 'ServiceUnavailable'],
  ])('with %i %s: %s', async (status, code, name) => {
    const { store, close } = await answering(status, code);
    await expect((await store).write('a', Buffer.from('x'))).rejects.toMatchObject({ name });
    await (await store).close();
    close();
  });

  test('that answers a concurrent removal with 404 NoSuchKey counts as success, even during the bucket check at startup', async () => {
    const { store, close } = await answering(404, 'NoSuchKey', ({ method }) => method === 'DELETE');
    await expect((await store).remove('a')).resolves.toBeUndefined();
    await (await store).close();
    close();
  });
});
