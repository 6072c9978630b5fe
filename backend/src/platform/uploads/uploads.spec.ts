import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { refusalOf, UPLOAD_REQUEST, UploadsFixture } from '../../testing/announced-uploads.js';
import { acceptPut } from '../blobs/accept-put.js';
import { type UploadRecord, type UploadRequest, UPLOADS } from './upload-record.js';
import { uploadKey, uploadOf } from './uploads.js';

const MINUTE_MS = 60_000;
const use = { uid: 'ana', purpose: 'version', projectId: 'p1' } as const;
const KEY = 'ana/ProjectMediaFiles/p1/v1/1_0-a.wav';

let world: UploadsFixture;
beforeEach(async () => {
  world = await UploadsFixture.open();
});
afterEach(() => world.close());

test('announcing gives a signed URL for exactly that many bytes, for an hour', async () => {
  const answer = await world.uploads.announce(UPLOAD_REQUEST);
  expect(answer).toMatchObject({ versionId: 'v1', method: 'PUT', expiresAt: world.stores.time.now + 60 * MINUTE_MS });
  const token = answer.url.slice('/api/storage/put/'.length);
  const put = await acceptPut(world.stores.blobs, {
    token,
    body: Readable.from([Buffer.from('RIFF')]),
    contentLength: 4,
    contentType: answer.headers['Content-Type'] ?? null,
  });
  expect(put).toMatchObject({ ok: true, key: uploadKey(answer.uploadId) });
  expect(await world.uploads.findArrived(answer.uploadId, use)).toMatchObject({ key: uploadKey(answer.uploadId), record: UPLOAD_REQUEST });
});

describe('using an upload', () => {
  test.each<[string, Partial<UploadRequest>]>([
    ['of another user', { uid: 'bob' }],
    ['for another project', { projectId: 'p2' }],
    ['for another purpose', { purpose: 'comment-image' }],
  ])('an upload %s is not found', async (_what, facts) => {
    expect(await refusalOf(world.uploads.findArrived(await world.uploaded(facts), use))).toBe('upload.not-found');
  });

  test('an unknown, empty, incomplete, used or expired upload is not found', async () => {
    const short = await world.announce();
    await world.stores.blobs.write(uploadKey(short), Buffer.from('RIF'));
    const used = await world.uploaded();
    await world.uploads.finish(used);
    for (const id of ['nothing', await world.announce(), short, used]) expect(await refusalOf(world.uploads.findArrived(id, use))).toBe('upload.not-found');
    const late = await world.uploaded();
    world.stores.time.now += 61 * MINUTE_MS;
    expect(await refusalOf(world.uploads.findArrived(late, use))).toBe('upload.not-found');
  });

  test('moves the file to the key that an event will name, again if that changes, and a crash in between loses nothing', async () => {
    const uploadId = await world.uploaded();
    const arrived = await world.uploads.findArrived(uploadId, use);
    const moved = await world.uploads.moveTo(arrived, KEY);
    expect(await world.uploads.moveTo(moved, KEY)).toBe(moved);
    expect(await world.uploads.findArrived(uploadId, use)).toMatchObject({ key: KEY, record: { places: [KEY] } });
    const again = await world.uploads.moveTo(moved, `${KEY}-2`);
    expect(again.key).toBe(`${KEY}-2`);
    expect([await world.stores.blobs.head(KEY), await world.stores.blobs.head(uploadKey(uploadId))]).toEqual([null, null]);
    await world.uploads.finish(uploadId);
    expect(await world.stores.blobs.head(`${KEY}-2`)).toMatchObject({ size: 4 });
    expect(await refusalOf(world.uploads.moveTo(again, KEY))).toBe('upload.not-found');
  });

  test('on two servers concurrently moves the file to the same key', async () => {
    const uploadId = await world.uploaded();
    const other = world.otherProcess();
    const arrived = await Promise.all([world.uploads.findArrived(uploadId, use), other.findArrived(uploadId, use)]);
    const moved = await Promise.all(arrived.map((upload, at) => (at === 0 ? world.uploads : other).moveTo(upload, KEY)));
    expect(moved.map(({ key }) => key)).toEqual([KEY, KEY]);
    expect(await world.stores.blobs.head(KEY)).toMatchObject({ size: 4 });
    expect(await world.uploads.findArrived(uploadId, use)).toMatchObject({ key: KEY, record: { places: [KEY] } });
  });

  test('a refused upload is deleted with its file', async () => {
    const uploadId = await world.uploaded();
    await world.uploads.discard(await world.uploads.findArrived(uploadId, use));
    expect([await world.stores.blobs.head(uploadKey(uploadId)), await world.uploads.exists(uploadId)]).toEqual([null, false]);
  });

  test('an upload refused after its file was moved is left to the sweep, as an event may name the file', async () => {
    const uploadId = await world.uploaded();
    await world.uploads.moveTo(await world.uploads.findArrived(uploadId, use), KEY);
    await world.uploads.discard(await world.uploads.findArrived(uploadId, use));
    expect([(await world.stores.blobs.head(KEY))?.size, await world.uploads.exists(uploadId)]).toEqual([4, true]);
  });
});

test('concurrent changes of state are all applied', async () => {
  const uploadId = await world.announce();
  expect(await Promise.all((['filling', 'open', 'filling', 'filled'] as const).map((state) => world.uploads.mark(uploadId, state)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect((await world.stores.vault.get<UploadRecord>(UPLOADS, uploadId))?.body.state).toBe('filled');
});

test('the name of a file is sealed in the vault; one that an earlier version stored is read as it is', async () => {
  const uploadId = await world.uploaded({ filename: 'Secret take.wav' });
  const stored = await world.stores.vault.get<UploadRecord>(UPLOADS, uploadId);
  expect(JSON.stringify(stored)).not.toContain('Secret');
  await world.stores.vault.put(UPLOADS, uploadId, { ...stored?.body, sealedName: undefined, filename: 'Earlier take.wav' });
  expect((await world.uploads.findArrived(uploadId, use)).record.filename).toBe('Earlier take.wav');
});

test('uploads of a user are discarded despite concurrent changes of state', async () => {
  const [waiting, moved] = [await world.announce({ projectId: 'p2' }), await world.uploaded()];
  await world.uploads.moveTo(await world.uploads.findArrived(moved, use), KEY);
  await Promise.all([
    world.uploads.mark(waiting, 'filling'),
    world.uploads.mark(moved, 'filling'),
    world.uploads.discardAllOf('ana'),
    world.uploads.mark(waiting, 'filled'),
  ]);
  expect([await world.uploads.exists(waiting), await world.uploads.mark(moved, 'filling')]).toEqual([false, false]);
  expect(await world.uploads.expired({ all: true })).toMatchObject([{ uploadId: moved, record: { sealedName: '', state: 'closed' } }]);
});

test('an upload is swept 15 minutes after its expiry, when no command uses it any more', async () => {
  const uploadId = await world.uploaded();
  world.stores.time.now += 74 * MINUTE_MS;
  expect(await world.uploads.expired()).toEqual([]);
  world.stores.time.now += 2 * MINUTE_MS;
  expect(await world.uploads.expired()).toMatchObject([{ uploadId, record: { places: [] } }]);
});

test('an upload is found by its key', () => {
  expect(uploadOf(uploadKey('u1'))).toBe('u1');
  expect(uploadOf(KEY)).toBeNull();
});
