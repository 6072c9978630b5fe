import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Refused } from '../../kernel/refusal.js';
import { refusalOf, UPLOAD_REQUEST, UploadsFixture } from '../../testing/announced-uploads.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { UploadRequest } from './upload-record.js';
import { uploadKey } from './uploads.js';

const MINUTE_MS = 60_000;
const use = { uid: 'ana', purpose: 'version', projectId: 'p1' } as const;

let world: UploadsFixture;
beforeEach(async () => {
  world = await UploadsFixture.open();
});
afterEach(() => world.close());

const start = async (): Promise<string> => {
  const uploadId = await world.announce();
  await world.uploads.mark(uploadId, 'filling');
  return uploadId;
};

describe('announcing an upload', () => {
  test('each further request closes the oldest upload of the same project and purpose that has not started', async () => {
    const started = await world.announce();
    await world.uploads.mark(started, 'filling');
    const others = [await world.announce({ projectId: 'p2' }), await world.announce({ purpose: 'comment-image' }), await world.announce({ uid: 'bob' })];
    const waiting = await world.announce();
    const newest = await world.announce();
    const taken = await Promise.all([waiting, started, newest, ...others].map((id) => world.uploads.mark(id, 'filling')));
    expect(taken).toEqual([false, true, true, true, true, true]);
  });

  test('only one of fifty concurrent announcements may start its upload; never more than ten are in progress', async () => {
    await inTurn(9, () => world.uploaded());
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        world.uploads.announce(UPLOAD_REQUEST).then(
          ({ uploadId }) => uploadId,
          () => null,
        ),
      ),
    );
    const started = await Promise.all(answers.map((id) => world.uploads.mark(id ?? '', 'filling')));
    expect(started.filter(Boolean)).toHaveLength(1);
    expect(await refusalOf(world.announce())).toBe('throttled');
  });

  test('is throttled while ten uploads are filled or in progress', async () => {
    const ids = await inTurn(5, () => world.uploaded());
    for (const id of await inTurn(5, start)) expect(await world.uploads.mark(id, 'filled')).toBe(true);
    expect(await refusalOf(world.announce())).toBe('throttled');
    expect(await refusalOf(world.announce({ projectId: 'p2' }))).toBe('accepted');
    expect(await refusalOf(world.announce({ purpose: 'comment-image' }))).toBe('accepted');
    expect(await refusalOf(world.announce({ uid: 'bob' }))).toBe('accepted');
    await world.uploads.finish(ids[0] ?? '');
    expect(await refusalOf(world.announce())).toBe('accepted');
  });

  test('expired uploads do not count', async () => {
    await inTurn(10, () => world.uploaded());
    world.stores.time.now += 61 * MINUTE_MS;
    expect(await refusalOf(world.announce())).toBe('accepted');
  });
});

describe('all uploads of a user', () => {
  test('may be at most twenty that are filled or in progress, whatever their projects', async () => {
    const ids = await inProjects(20, world.uploaded);
    expect(await refusalOf(world.announce({ projectId: 'another' }))).toBe('throttled');
    expect(await refusalOf(world.announce({ purpose: 'cover-photo', projectId: null }))).toBe('throttled');
    expect(await refusalOf(world.announce({ uid: 'bob' }))).toBe('accepted');
    await world.uploads.finish(ids[0] ?? '');
    expect(await refusalOf(world.announce({ projectId: 'another' }))).toBe('accepted');
  });

  test('twenty of sixty concurrent announcements in different projects are accepted', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => refusalOf(world.uploads.announce({ ...UPLOAD_REQUEST, projectId: `p${at}` }))));
    expect(answers.toSorted()).toEqual([...Array.from({ length: 20 }, () => 'accepted'), ...Array.from({ length: 40 }, () => 'throttled')]);
  });

  test('count together against the allowed bytes: filled ones until they are swept, others until they expire', async () => {
    const asked: number[] = [];
    const ask = async (facts: Partial<UploadRequest> = {}): Promise<void> => {
      await world.uploads.announce({ ...UPLOAD_REQUEST, ...facts }, async (bytes) => {
        asked.push(bytes);
        throw new Refused('quota.bytes');
      });
    };
    await world.uploaded();
    await world.announce({ size: 100 });
    await world.announce({ projectId: 'p2', size: 20 });
    await world.announce({ uid: 'bob', size: 3_000 });
    expect(await world.uploads.bytesOf('ana')).toBe(124);
    expect(await refusalOf(ask({ size: 1, projectId: 'p3' }))).toBe('quota.bytes');
    // The first project's upload that has not started would be closed.
    expect(await refusalOf(ask({ size: 1 }))).toBe('quota.bytes');
    world.stores.time.now += 61 * MINUTE_MS;
    expect(await refusalOf(ask({ size: 1 }))).toBe('quota.bytes');
    for (const each of await world.uploads.expired({ all: true })) await world.uploads.sweep(each, async () => false);
    expect(await refusalOf(ask({ size: 1 }))).toBe('quota.bytes');
    expect(asked).toEqual([125, 25, 5, 1]);
    expect([await world.uploads.bytesOf('ana'), await world.uploads.bytesOf('nobody')]).toEqual([0, 0]);
  });

  test('stay open when a further one is refused', async () => {
    const waiting = await world.announce();
    expect(await refusalOf(world.uploads.announce(UPLOAD_REQUEST, () => Promise.reject(new Refused('quota.bytes'))))).toBe('quota.bytes');
    expect(await world.uploads.mark(waiting, 'filling')).toBe(true);
  });
});

test('records of groups, which earlier versions left, are removed at the start; those of users stay', async () => {
  await world.announce();
  for (const id of ['ana/p1/version', 'ana//profile-photo']) await world.stores.vault.insert('upload-slots', id, { uploadIds: ['u1'] });
  await world.uploads.declare();
  expect((await world.stores.vault.find('upload-slots', {})).map(({ id }) => id)).toEqual(['ana']);
  expect(await world.uploads.bytesOf('ana')).toBe(4);
});

describe('with a file server that receives the PUTs', () => {
  const put = (uploadId: string, content = 'RIFF') => world.stores.blobs.write(uploadKey(uploadId), Buffer.from(content));
  beforeEach(() => {
    world.useFileServer();
  });

  test('concurrent uploads do not close each other', async () => {
    const ids = await inTurn(10, () => world.announce());
    await Promise.all(ids.map((id) => put(id)));
    for (const id of ids) expect(await refusalOf(world.uploads.findArrived(id, use))).toBe('accepted');
  });

  test('while that server is unavailable announcing fails, and no slot is taken', async () => {
    let isUnavailable = true;
    Object.assign(world.stores.blobs, { check: () => (isUnavailable ? Promise.reject(new ServiceUnavailable('frozen')) : Promise.resolve()) });
    for (let times = 0; times < 11; times += 1) await expect(world.announce()).rejects.toThrow(ServiceUnavailable);
    isUnavailable = false;
    await inTurn(10, () => world.announce());
  });

  test('the eleventh announcement is throttled for five minutes, after which uploads without a file free their slots', async () => {
    const ids = await inTurn(10, () => world.announce());
    expect(await refusalOf(world.announce())).toBe('throttled');
    expect(await refusalOf(world.announce({ projectId: 'p2' }))).toBe('accepted');
    await put(ids[0] ?? '');
    world.stores.time.now += 5 * MINUTE_MS;
    await inTurn(9, () => world.announce());
    expect(await refusalOf(world.announce())).toBe('throttled');
  });

  test('a user’s twenty-first announcement in any project is throttled for five minutes; the bytes of each count until it expires', async () => {
    await inProjects(20, world.announce);
    expect(await refusalOf(world.announce({ projectId: 'another' }))).toBe('throttled');
    world.stores.time.now += 5 * MINUTE_MS;
    let asked = 0;
    await world.uploads.announce({ ...UPLOAD_REQUEST, projectId: 'another' }, async (bytes) => {
      asked = bytes;
    });
    expect(asked).toBe(21 * UPLOAD_REQUEST.size);
  });

  test('a file that arrives later is accepted and counts again', async () => {
    const late = await inTurn(10, () => world.announce());
    world.stores.time.now += 30 * MINUTE_MS;
    expect(await refusalOf(world.announce())).toBe('accepted');
    await Promise.all(late.map((id) => put(id)));
    expect(await refusalOf(world.announce())).toBe('throttled');
    expect(await refusalOf(world.uploads.findArrived(late[0] ?? '', use))).toBe('accepted');
  });

  test('an incomplete file frees its slot at once and cannot be used', async () => {
    const ids = await inTurn(10, () => world.announce());
    await put(ids[3] ?? '', 'RIF');
    expect(await refusalOf(world.uploads.findArrived(ids[3] ?? '', use))).toBe('upload.not-found');
    expect(await refusalOf(world.announce())).toBe('accepted');
    expect(await refusalOf(world.announce())).toBe('throttled');
  });

  test('used uploads free their slots', async () => {
    for (const id of await inTurn(10, () => world.announce())) {
      await put(id);
      await world.uploads.finish(id);
    }
    expect(await refusalOf(world.announce())).toBe('accepted');
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
