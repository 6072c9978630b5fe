import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Refused } from '../../kernel/refusal.js';
import { announced, filled, refusalOf, UPLOAD_NAMES, UPLOAD_REQUEST } from '../../testing/announced-uploads.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { UploadRequest } from './upload-record.js';
import { uploadKey, Uploads } from './uploads.js';

const MINUTE_MS = 60_000;
const use = { uid: 'ana', purpose: 'version', projectId: 'p1' } as const;

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
const start = async (): Promise<string> => {
  const uploadId = await announce();
  await uploads.mark(uploadId, 'filling');
  return uploadId;
};

describe('announcing an upload', () => {
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
        uploads.announce(UPLOAD_REQUEST).then(
          ({ uploadId }) => uploadId,
          () => null,
        ),
      ),
    );
    const started = await Promise.all(answers.map((id) => uploads.mark(id ?? '', 'filling')));
    expect(started.filter(Boolean)).toHaveLength(1);
    expect(await refusalOf(announce())).toBe('throttled');
  });

  test('is throttled while ten uploads are filled or in progress', async () => {
    const ids = await inTurn(5, () => uploaded());
    for (const id of await inTurn(5, start)) expect(await uploads.mark(id, 'filled')).toBe(true);
    expect(await refusalOf(announce())).toBe('throttled');
    expect(await refusalOf(announce({ projectId: 'p2' }))).toBe('accepted');
    expect(await refusalOf(announce({ purpose: 'comment-image' }))).toBe('accepted');
    expect(await refusalOf(announce({ uid: 'bob' }))).toBe('accepted');
    await uploads.finish(ids[0] ?? '');
    expect(await refusalOf(announce())).toBe('accepted');
  });

  test('expired uploads do not count', async () => {
    await inTurn(10, () => uploaded());
    stores.time.now += 61 * MINUTE_MS;
    expect(await refusalOf(announce())).toBe('accepted');
  });
});

describe('all uploads of a user', () => {
  test('may be at most twenty that are filled or in progress, whatever their projects', async () => {
    const ids = await inProjects(20, uploaded);
    expect(await refusalOf(announce({ projectId: 'another' }))).toBe('throttled');
    expect(await refusalOf(announce({ purpose: 'cover-photo', projectId: null }))).toBe('throttled');
    expect(await refusalOf(announce({ uid: 'bob' }))).toBe('accepted');
    await uploads.finish(ids[0] ?? '');
    expect(await refusalOf(announce({ projectId: 'another' }))).toBe('accepted');
  });

  test('twenty of sixty concurrent announcements in different projects are accepted', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => refusalOf(uploads.announce({ ...UPLOAD_REQUEST, projectId: `p${at}` }))));
    expect(answers.toSorted()).toEqual([...Array.from({ length: 20 }, () => 'accepted'), ...Array.from({ length: 40 }, () => 'throttled')]);
  });

  test('count together against the allowed bytes: filled ones until they are swept, others until they expire', async () => {
    const asked: number[] = [];
    const ask = async (facts: Partial<UploadRequest> = {}): Promise<void> => {
      await uploads.announce({ ...UPLOAD_REQUEST, ...facts }, async (bytes) => {
        asked.push(bytes);
        throw new Refused('quota.bytes');
      });
    };
    await uploaded();
    await announce({ size: 100 });
    await announce({ projectId: 'p2', size: 20 });
    await announce({ uid: 'bob', size: 3_000 });
    expect(await uploads.bytesOf('ana')).toBe(124);
    expect(await refusalOf(ask({ size: 1, projectId: 'p3' }))).toBe('quota.bytes');
    // The first project's upload that has not started would be closed.
    expect(await refusalOf(ask({ size: 1 }))).toBe('quota.bytes');
    stores.time.now += 61 * MINUTE_MS;
    expect(await refusalOf(ask({ size: 1 }))).toBe('quota.bytes');
    for (const each of await uploads.expired({ all: true })) await uploads.sweep(each, async () => false);
    expect(await refusalOf(ask({ size: 1 }))).toBe('quota.bytes');
    expect(asked).toEqual([125, 25, 5, 1]);
    expect([await uploads.bytesOf('ana'), await uploads.bytesOf('nobody')]).toEqual([0, 0]);
  });

  test('stay open when a further one is refused', async () => {
    const waiting = await announce();
    expect(await refusalOf(uploads.announce(UPLOAD_REQUEST, () => Promise.reject(new Refused('quota.bytes'))))).toBe('quota.bytes');
    expect(await uploads.mark(waiting, 'filling')).toBe(true);
  });
});

test('records of groups, which earlier versions left, are removed at the start; those of users stay', async () => {
  await announce();
  for (const id of ['ana/p1/version', 'ana//profile-photo']) await stores.vault.insert('upload-slots', id, { uploadIds: ['u1'] });
  await uploads.declare();
  expect((await stores.vault.find('upload-slots', {})).map(({ id }) => id)).toEqual(['ana']);
  expect(await uploads.bytesOf('ana')).toBe(4);
});

describe('with a file server that receives the PUTs', () => {
  const put = (uploadId: string, content = 'RIFF') => stores.blobs.write(uploadKey(uploadId), Buffer.from(content));
  beforeEach(() => {
    uploads = new Uploads(stores.vault, Object.assign(stores.blobs, { seesPuts: false }), () => stores.time.now, UPLOAD_NAMES);
  });

  test('concurrent uploads do not close each other', async () => {
    const ids = await inTurn(10, () => announce());
    await Promise.all(ids.map((id) => put(id)));
    for (const id of ids) expect(await refusalOf(uploads.findArrived(id, use))).toBe('accepted');
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
    expect(await refusalOf(announce())).toBe('throttled');
    expect(await refusalOf(announce({ projectId: 'p2' }))).toBe('accepted');
    await put(ids[0] ?? '');
    stores.time.now += 5 * MINUTE_MS;
    await inTurn(9, () => announce());
    expect(await refusalOf(announce())).toBe('throttled');
  });

  test('a user’s twenty-first announcement in any project is throttled for five minutes; the bytes of each count until it expires', async () => {
    await inProjects(20, announce);
    expect(await refusalOf(announce({ projectId: 'another' }))).toBe('throttled');
    stores.time.now += 5 * MINUTE_MS;
    let asked = 0;
    await uploads.announce({ ...UPLOAD_REQUEST, projectId: 'another' }, async (bytes) => {
      asked = bytes;
    });
    expect(asked).toBe(21 * UPLOAD_REQUEST.size);
  });

  test('a file that arrives later is accepted and counts again', async () => {
    const late = await inTurn(10, () => announce());
    stores.time.now += 30 * MINUTE_MS;
    expect(await refusalOf(announce())).toBe('accepted');
    await Promise.all(late.map((id) => put(id)));
    expect(await refusalOf(announce())).toBe('throttled');
    expect(await refusalOf(uploads.findArrived(late[0] ?? '', use))).toBe('accepted');
  });

  test('an incomplete file frees its slot at once and cannot be used', async () => {
    const ids = await inTurn(10, () => announce());
    await put(ids[3] ?? '', 'RIF');
    expect(await refusalOf(uploads.findArrived(ids[3] ?? '', use))).toBe('upload.not-found');
    expect(await refusalOf(announce())).toBe('accepted');
    expect(await refusalOf(announce())).toBe('throttled');
  });

  test('used uploads free their slots', async () => {
    for (const id of await inTurn(10, () => announce())) {
      await put(id);
      await uploads.finish(id);
    }
    expect(await refusalOf(announce())).toBe('accepted');
  });
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
