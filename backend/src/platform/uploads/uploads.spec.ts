import { Readable } from 'node:stream';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Refused } from '../../kernel/refusal.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { acceptPut } from '../blobs/accept-put.js';
import { ServiceUnavailable } from '../store-errors.js';
import { type UploadRecord, type UploadRequest, UPLOADS } from './upload-record.js';
import { uploadKey, uploadOf, Uploads } from './uploads.js';

const MINUTE_MS = 60_000;
const request: UploadRequest = { uid: 'ana', purpose: 'version', projectId: 'p1', versionId: 'v1', commentId: null, filename: 'a.wav', size: 4 };
const use = { uid: 'ana', purpose: 'version', projectId: 'p1' } as const;
const KEY = 'ana/ProjectMediaFiles/p1/v1/1_0-a.wav';

let stores: TestStores;
let uploads: Uploads;
beforeEach(async () => {
  stores = await openTestStores();
  uploads = new Uploads(stores.vault, stores.blobs, () => stores.time.now);
  await uploads.declare();
});
afterEach(() => stores.close());

const announce = async (facts: Partial<UploadRequest> = {}): Promise<string> => {
  stores.time.now += 1;
  return (await uploads.announce({ ...request, ...facts })).uploadId;
};
const fill = async (uploadId: string): Promise<void> => {
  await uploads.mark(uploadId, 'filling');
  await stores.blobs.write(uploadKey(uploadId), Buffer.from('RIFF'));
  await uploads.mark(uploadId, 'filled');
};
const uploaded = async (facts: Partial<UploadRequest> = {}): Promise<string> => {
  const uploadId = await announce(facts);
  await fill(uploadId);
  return uploadId;
};
const start = async (): Promise<string> => {
  const uploadId = await announce();
  await uploads.mark(uploadId, 'filling');
  return uploadId;
};
const refusal = (work: Promise<unknown>): Promise<ProblemCode | 'accepted'> =>
  work.then(
    () => 'accepted' as const,
    (error: unknown) => {
      if (error instanceof Refused) return error.code;
      throw error;
    },
  );

describe('announcing an upload', () => {
  test('gives a signed URL for exactly that many bytes, for an hour', async () => {
    const answer = await uploads.announce(request);
    expect(answer).toMatchObject({ versionId: 'v1', method: 'PUT', expiresAt: stores.time.now + 60 * MINUTE_MS });
    const token = answer.url.slice('/api/storage/put/'.length);
    const put = await acceptPut(stores.blobs, {
      token,
      body: Readable.from([Buffer.from('RIFF')]),
      contentLength: 4,
      contentType: answer.headers['Content-Type'] ?? null,
    });
    expect(put).toMatchObject({ ok: true, key: uploadKey(answer.uploadId) });
    expect(await uploads.findArrived(answer.uploadId, use)).toMatchObject({ key: uploadKey(answer.uploadId), record: request });
  });

  test('each further request closes the oldest upload of the same project and purpose that has not started', async () => {
    const started = await announce();
    await uploads.mark(started, 'filling');
    const others = [await announce({ projectId: 'p2' }), await announce({ purpose: 'comment-image' }), await announce({ uid: 'bob' })];
    const waiting = await announce();
    const newest = await announce();
    const taken = await Promise.all([waiting, started, newest, ...others].map((id) => uploads.mark(id, 'filling')));
    expect(taken).toEqual([false, true, true, true, true, true]);
  });

  test('only one of fifty concurrent announcements may start its upload; never more than ten are in progress', async () => {
    await inTurn(9, () => uploaded());
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        uploads.announce(request).then(
          ({ uploadId }) => uploadId,
          () => null,
        ),
      ),
    );
    const started = await Promise.all(answers.map((id) => uploads.mark(id ?? '', 'filling')));
    expect(started.filter(Boolean)).toHaveLength(1);
    expect(await refusal(announce())).toBe('throttled');
  });

  test('is throttled while ten uploads are filled or in progress', async () => {
    const ids = await inTurn(5, () => uploaded());
    for (const id of await inTurn(5, start)) expect(await uploads.mark(id, 'filled')).toBe(true);
    expect(await refusal(announce())).toBe('throttled');
    expect(await refusal(announce({ projectId: 'p2' }))).toBe('accepted');
    expect(await refusal(announce({ purpose: 'comment-image' }))).toBe('accepted');
    expect(await refusal(announce({ uid: 'bob' }))).toBe('accepted');
    await uploads.finish(ids[0] ?? '');
    expect(await refusal(announce())).toBe('accepted');
  });

  test('expired uploads do not count', async () => {
    await inTurn(10, () => uploaded());
    stores.time.now += 61 * MINUTE_MS;
    expect(await refusal(announce())).toBe('accepted');
  });
});

describe('all uploads of a user', () => {
  test('may be at most twenty that are filled or in progress, whatever their projects', async () => {
    const ids = await inProjects(20, uploaded);
    expect(await refusal(announce({ projectId: 'another' }))).toBe('throttled');
    expect(await refusal(announce({ purpose: 'cover-photo', projectId: null }))).toBe('throttled');
    expect(await refusal(announce({ uid: 'bob' }))).toBe('accepted');
    await uploads.finish(ids[0] ?? '');
    expect(await refusal(announce({ projectId: 'another' }))).toBe('accepted');
  });

  test('twenty of sixty concurrent announcements in different projects are accepted', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => refusal(uploads.announce({ ...request, projectId: `p${at}` }))));
    expect(answers.toSorted()).toEqual([...Array.from({ length: 20 }, () => 'accepted'), ...Array.from({ length: 40 }, () => 'throttled')]);
  });

  test('count together against the allowed bytes: filled ones until they are swept, others until they expire', async () => {
    const asked: number[] = [];
    const ask = async (facts: Partial<UploadRequest> = {}): Promise<void> => {
      await uploads.announce({ ...request, ...facts }, async (bytes) => {
        asked.push(bytes);
        throw new Refused('quota.bytes');
      });
    };
    await uploaded();
    await announce({ size: 100 });
    await announce({ projectId: 'p2', size: 20 });
    await announce({ uid: 'bob', size: 3_000 });
    expect(await uploads.bytesOf('ana')).toBe(124);
    expect(await refusal(ask({ size: 1, projectId: 'p3' }))).toBe('quota.bytes');
    // The first project's upload that has not started would be closed.
    expect(await refusal(ask({ size: 1 }))).toBe('quota.bytes');
    stores.time.now += 61 * MINUTE_MS;
    expect(await refusal(ask({ size: 1 }))).toBe('quota.bytes');
    for (const each of await uploads.expired({ all: true })) await uploads.sweep(each, async () => false);
    expect(await refusal(ask({ size: 1 }))).toBe('quota.bytes');
    expect(asked).toEqual([125, 25, 5, 1]);
    expect([await uploads.bytesOf('ana'), await uploads.bytesOf('nobody')]).toEqual([0, 0]);
  });

  test('stay open when a further one is refused', async () => {
    const waiting = await announce();
    expect(await refusal(uploads.announce(request, () => Promise.reject(new Refused('quota.bytes'))))).toBe('quota.bytes');
    expect(await uploads.mark(waiting, 'filling')).toBe(true);
  });
});

describe('with a file server that receives the PUTs', () => {
  const put = (uploadId: string, content = 'RIFF') => stores.blobs.write(uploadKey(uploadId), Buffer.from(content));
  beforeEach(() => {
    uploads = new Uploads(stores.vault, Object.assign(stores.blobs, { seesPuts: false }), () => stores.time.now);
  });

  test('concurrent uploads do not close each other', async () => {
    const ids = await inTurn(10, () => announce());
    await Promise.all(ids.map((id) => put(id)));
    for (const id of ids) expect(await refusal(uploads.findArrived(id, use))).toBe('accepted');
  });

  test('while that server is unavailable announcing fails, and no slot is taken', async () => {
    let isUnavailable = true;
    Object.assign(stores.blobs, { check: () => (isUnavailable ? Promise.reject(new ServiceUnavailable('frozen')) : Promise.resolve()) });
    for (let times = 0; times < 11; times += 1) await expect(announce()).rejects.toThrow(ServiceUnavailable);
    isUnavailable = false;
    await inTurn(10, () => announce());
  });

  test('the eleventh announcement is throttled for five minutes, after which uploads without a file free their slots', async () => {
    const ids = await inTurn(10, () => announce());
    expect(await refusal(announce())).toBe('throttled');
    expect(await refusal(announce({ projectId: 'p2' }))).toBe('accepted');
    await put(ids[0] ?? '');
    stores.time.now += 5 * MINUTE_MS;
    await inTurn(9, () => announce());
    expect(await refusal(announce())).toBe('throttled');
  });

  test('a user’s twenty-first announcement in any project is throttled for five minutes; the bytes of each count until it expires', async () => {
    await inProjects(20, announce);
    expect(await refusal(announce({ projectId: 'another' }))).toBe('throttled');
    stores.time.now += 5 * MINUTE_MS;
    let asked = 0;
    await uploads.announce({ ...request, projectId: 'another' }, async (bytes) => {
      asked = bytes;
    });
    expect(asked).toBe(21 * request.size);
  });

  test('a file that arrives later is accepted and counts again', async () => {
    const late = await inTurn(10, () => announce());
    stores.time.now += 30 * MINUTE_MS;
    expect(await refusal(announce())).toBe('accepted');
    await Promise.all(late.map((id) => put(id)));
    expect(await refusal(announce())).toBe('throttled');
    expect(await refusal(uploads.findArrived(late[0] ?? '', use))).toBe('accepted');
  });

  test('an incomplete file frees its slot at once and cannot be used', async () => {
    const ids = await inTurn(10, () => announce());
    await put(ids[3] ?? '', 'RIF');
    expect(await refusal(uploads.findArrived(ids[3] ?? '', use))).toBe('upload.not-found');
    expect(await refusal(announce())).toBe('accepted');
    expect(await refusal(announce())).toBe('throttled');
  });

  test('used uploads free their slots', async () => {
    for (const id of await inTurn(10, () => announce())) {
      await put(id);
      await uploads.finish(id);
    }
    expect(await refusal(announce())).toBe('accepted');
  });
});

describe('using an upload', () => {
  test.each<[string, Partial<UploadRequest>]>([
    ['of another user', { uid: 'bob' }],
    ['for another project', { projectId: 'p2' }],
    ['for another purpose', { purpose: 'comment-image' }],
  ])('an upload %s is not found', async (_what, facts) => {
    expect(await refusal(uploads.findArrived(await uploaded(facts), use))).toBe('upload.not-found');
  });

  test('an unknown, empty, incomplete, used or expired upload is not found', async () => {
    const short = await announce();
    await stores.blobs.write(uploadKey(short), Buffer.from('RIF'));
    const used = await uploaded();
    await uploads.finish(used);
    for (const id of ['nothing', await announce(), short, used]) expect(await refusal(uploads.findArrived(id, use))).toBe('upload.not-found');
    const late = await uploaded();
    stores.time.now += 61 * MINUTE_MS;
    expect(await refusal(uploads.findArrived(late, use))).toBe('upload.not-found');
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
    expect(await refusal(uploads.moveTo(again, KEY))).toBe('upload.not-found');
  });

  test('on two servers concurrently moves the file to the same key', async () => {
    const uploadId = await uploaded();
    const other = new Uploads(stores.vault, stores.blobs, () => stores.time.now);
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

test('uploads of a user are discarded despite concurrent changes of state', async () => {
  const [waiting, moved] = [await announce({ projectId: 'p2' }), await uploaded()];
  await uploads.moveTo(await uploads.findArrived(moved, use), KEY);
  await Promise.all([uploads.mark(waiting, 'filling'), uploads.mark(moved, 'filling'), uploads.discardAllOf('ana'), uploads.mark(waiting, 'filled')]);
  expect([await uploads.exists(waiting), await uploads.mark(moved, 'filling')]).toEqual([false, false]);
  expect(await uploads.expired({ all: true })).toMatchObject([{ uploadId: moved, record: { filename: '', state: 'closed' } }]);
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

async function inTurn<Answer>(times: number, work: () => Promise<Answer>): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < times) answers.push(await work());
  return answers;
}

/** The same for uploads in as many projects, at most two in each. */
const inProjects = async (count: number, work: (facts: Partial<UploadRequest>) => Promise<string>): Promise<readonly string[]> => {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await work({ projectId: `p${Math.floor(ids.length / 2)}` }));
  return ids;
};
