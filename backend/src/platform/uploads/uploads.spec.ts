import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { announced, filled, refusalOf, UPLOAD_NAMES, UPLOAD_REQUEST } from '../../testing/announced-uploads.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { acceptPut } from '../blobs/accept-put.js';
import { type UploadRecord, type UploadRequest, UPLOADS } from './upload-record.js';
import { uploadKey, uploadOf, Uploads } from './uploads.js';

const MINUTE_MS = 60_000;
const use = { uid: 'ana', purpose: 'version', projectId: 'p1' } as const;
const KEY = 'ana/ProjectMediaFiles/p1/v1/1_0-a.wav';

let stores: TestStores;
let uploads: Uploads;
beforeEach(async () => {
  stores = await openTestStores();
  uploads = new Uploads(stores.vault, stores.blobs, () => stores.time.now, UPLOAD_NAMES);
  await uploads.declare();
});
afterEach(() => stores.close());

const announce = (facts?: Partial<UploadRequest>): Promise<string> => announced({ stores, uploads }, facts);
const uploaded = (facts?: Partial<UploadRequest>): Promise<string> => filled({ stores, uploads }, facts);

test('announcing gives a signed URL for exactly that many bytes, for an hour', async () => {
  const answer = await uploads.announce(UPLOAD_REQUEST);
  expect(answer).toMatchObject({ versionId: 'v1', method: 'PUT', expiresAt: stores.time.now + 60 * MINUTE_MS });
  const token = answer.url.slice('/api/storage/put/'.length);
  const put = await acceptPut(stores.blobs, {
    token,
    body: Readable.from([Buffer.from('RIFF')]),
    contentLength: 4,
    contentType: answer.headers['Content-Type'] ?? null,
  });
  expect(put).toMatchObject({ ok: true, key: uploadKey(answer.uploadId) });
  expect(await uploads.findArrived(answer.uploadId, use)).toMatchObject({ key: uploadKey(answer.uploadId), record: UPLOAD_REQUEST });
});

describe('using an upload', () => {
  test.each<[string, Partial<UploadRequest>]>([
    ['of another user', { uid: 'bob' }],
    ['for another project', { projectId: 'p2' }],
    ['for another purpose', { purpose: 'comment-image' }],
  ])('an upload %s is not found', async (_what, facts) => {
    expect(await refusalOf(uploads.findArrived(await uploaded(facts), use))).toBe('upload.not-found');
  });

  test('an unknown, empty, incomplete, used or expired upload is not found', async () => {
    const short = await announce();
    await stores.blobs.write(uploadKey(short), Buffer.from('RIF'));
    const used = await uploaded();
    await uploads.finish(used);
    for (const id of ['nothing', await announce(), short, used]) expect(await refusalOf(uploads.findArrived(id, use))).toBe('upload.not-found');
    const late = await uploaded();
    stores.time.now += 61 * MINUTE_MS;
    expect(await refusalOf(uploads.findArrived(late, use))).toBe('upload.not-found');
  });

  test('moves the file to the key that an event will name, again if that changes, and a crash in between loses nothing', async () => {
    const uploadId = await uploaded();
    const arrived = await uploads.findArrived(uploadId, use);
    const moved = await uploads.moveTo(arrived, KEY);
    expect(await uploads.moveTo(moved, KEY)).toBe(moved);
    expect(await uploads.findArrived(uploadId, use)).toMatchObject({ key: KEY, record: { places: [KEY] } });
    const again = await uploads.moveTo(moved, `${KEY}-2`);
    expect(again.key).toBe(`${KEY}-2`);
    expect([await stores.blobs.head(KEY), await stores.blobs.head(uploadKey(uploadId))]).toEqual([null, null]);
    await uploads.finish(uploadId);
    expect(await stores.blobs.head(`${KEY}-2`)).toMatchObject({ size: 4 });
    expect(await refusalOf(uploads.moveTo(again, KEY))).toBe('upload.not-found');
  });

  test('on two servers concurrently moves the file to the same key', async () => {
    const uploadId = await uploaded();
    const other = new Uploads(stores.vault, stores.blobs, () => stores.time.now, UPLOAD_NAMES);
    const arrived = await Promise.all([uploads.findArrived(uploadId, use), other.findArrived(uploadId, use)]);
    const moved = await Promise.all(arrived.map((upload, at) => (at === 0 ? uploads : other).moveTo(upload, KEY)));
    expect(moved.map(({ key }) => key)).toEqual([KEY, KEY]);
    expect(await stores.blobs.head(KEY)).toMatchObject({ size: 4 });
    expect(await uploads.findArrived(uploadId, use)).toMatchObject({ key: KEY, record: { places: [KEY] } });
  });

  test('a refused upload is deleted with its file', async () => {
    const uploadId = await uploaded();
    await uploads.discard(await uploads.findArrived(uploadId, use));
    expect([await stores.blobs.head(uploadKey(uploadId)), await uploads.exists(uploadId)]).toEqual([null, false]);
  });

  test('an upload refused after its file was moved is left to the sweep, as an event may name the file', async () => {
    const uploadId = await uploaded();
    await uploads.moveTo(await uploads.findArrived(uploadId, use), KEY);
    await uploads.discard(await uploads.findArrived(uploadId, use));
    expect([(await stores.blobs.head(KEY))?.size, await uploads.exists(uploadId)]).toEqual([4, true]);
  });
});

test('concurrent changes of state are all applied', async () => {
  const uploadId = await announce();
  expect(await Promise.all((['filling', 'open', 'filling', 'filled'] as const).map((state) => uploads.mark(uploadId, state)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect((await stores.vault.get<UploadRecord>(UPLOADS, uploadId))?.body.state).toBe('filled');
});

test('the name of a file is sealed in the vault; one that an earlier version stored is read as it is', async () => {
  const uploadId = await uploaded({ filename: 'Secret take.wav' });
  const stored = await stores.vault.get<UploadRecord>(UPLOADS, uploadId);
  expect(JSON.stringify(stored)).not.toContain('Secret');
  await stores.vault.put(UPLOADS, uploadId, { ...stored?.body, sealedName: undefined, filename: 'Earlier take.wav' });
  expect((await uploads.findArrived(uploadId, use)).record.filename).toBe('Earlier take.wav');
});

test('uploads of a user are discarded despite concurrent changes of state', async () => {
  const [waiting, moved] = [await announce({ projectId: 'p2' }), await uploaded()];
  await uploads.moveTo(await uploads.findArrived(moved, use), KEY);
  await Promise.all([uploads.mark(waiting, 'filling'), uploads.mark(moved, 'filling'), uploads.discardAllOf('ana'), uploads.mark(waiting, 'filled')]);
  expect([await uploads.exists(waiting), await uploads.mark(moved, 'filling')]).toEqual([false, false]);
  expect(await uploads.expired({ all: true })).toMatchObject([{ uploadId: moved, record: { sealedName: '', state: 'closed' } }]);
});

test('an upload is swept 15 minutes after its expiry, when no command uses it any more', async () => {
  const uploadId = await uploaded();
  stores.time.now += 74 * MINUTE_MS;
  expect(await uploads.expired()).toEqual([]);
  stores.time.now += 2 * MINUTE_MS;
  expect(await uploads.expired()).toMatchObject([{ uploadId, record: { places: [] } }]);
});

test('an upload is found by its key', () => {
  expect(uploadOf(uploadKey('u1'))).toBe('u1');
  expect(uploadOf(KEY)).toBeNull();
});
