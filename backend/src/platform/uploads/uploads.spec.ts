import { Readable } from 'node:stream';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Refused } from '../../kernel/refusal.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { acceptPut } from '../blobs/accept-put.js';
import { StoreAway } from '../store-errors.js';
import { type UploadRecord, type UploadRequest, UPLOADS } from './upload-record.js';
import { uploadKey, uploadOf, Uploads } from './uploads.js';

const MINUTE_MS = 60_000;
const request: UploadRequest = { uid: 'ana', purpose: 'version', projectId: 'p1', versionId: 'v1', commentId: null, filename: 'a.wav', size: 4 };
const use = { uid: 'ana', purpose: 'version', projectId: 'p1' } as const;
const KEY = 'ana/ProjectMediaFiles/p1/v1/1_0-a.wav';

let ground: TestStores;
let uploads: Uploads;
beforeEach(async () => {
  ground = await openTestStores();
  uploads = new Uploads(ground.vault, ground.blobs, () => ground.time.now);
  await uploads.declare();
});
afterEach(() => ground.close());

const announce = async (facts: Partial<UploadRequest> = {}): Promise<string> => {
  ground.time.now += 1;
  return (await uploads.announce({ ...request, ...facts })).uploadId;
};
const fill = async (uploadId: string): Promise<void> => {
  await uploads.mark(uploadId, 'filling');
  await ground.blobs.write(uploadKey(uploadId), Buffer.from('RIFF'));
  await uploads.mark(uploadId, 'filled');
};
const arrive = async (facts: Partial<UploadRequest> = {}): Promise<string> => {
  const uploadId = await announce(facts);
  await fill(uploadId);
  return uploadId;
};
const begin = async (): Promise<string> => {
  const uploadId = await announce();
  await uploads.mark(uploadId, 'filling');
  return uploadId;
};
const refusal = (work: Promise<unknown>): Promise<ProblemCode | 'taken'> =>
  work.then(
    () => 'taken' as const,
    (error: unknown) => {
      if (error instanceof Refused) return error.code;
      throw error;
    },
  );

describe('announcing an upload', () => {
  test('gives a signed address for exactly that many octets, for an hour', async () => {
    const answer = await uploads.announce(request);
    expect(answer).toMatchObject({ versionId: 'v1', method: 'PUT', expiresAt: ground.time.now + 60 * MINUTE_MS });
    const token = answer.url.slice('/api/storage/put/'.length);
    const put = await acceptPut(ground.blobs, {
      token,
      body: Readable.from([Buffer.from('RIFF')]),
      contentLength: 4,
      contentType: answer.headers['Content-Type'] ?? null,
    });
    expect(put).toMatchObject({ ok: true, key: uploadKey(answer.uploadId) });
    expect(await uploads.findArrived(answer.uploadId, use)).toMatchObject({ key: uploadKey(answer.uploadId), record: request });
  });

  test('each further request closes the oldest whose octets have not begun, of that project and purpose', async () => {
    const begun = await announce();
    await uploads.mark(begun, 'filling');
    const others = [await announce({ projectId: 'p2' }), await announce({ purpose: 'comment-image' }), await announce({ uid: 'bob' })];
    const waiting = await announce();
    const newest = await announce();
    const taken = await Promise.all([waiting, begun, newest, ...others].map((id) => uploads.mark(id, 'filling')));
    expect(taken).toEqual([false, true, true, true, true, true]);
  });

  test('fifty at once leave one to begin, and never more than ten with those on their way', async () => {
    await inTurn(9, () => arrive());
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        uploads.announce(request).then(
          ({ uploadId }) => uploadId,
          () => null,
        ),
      ),
    );
    const begun = await Promise.all(answers.map((id) => uploads.mark(id ?? '', 'filling')));
    expect(begun.filter(Boolean)).toHaveLength(1);
    expect(await refusal(announce())).toBe('throttled');
  });

  test('the eleventh is throttled while ten are filled or on their way', async () => {
    const ids = await inTurn(5, () => arrive());
    for (const id of await inTurn(5, begin)) expect(await uploads.mark(id, 'filled')).toBe(true);
    expect(await refusal(announce())).toBe('throttled');
    expect(await refusal(announce({ projectId: 'p2' }))).toBe('taken');
    expect(await refusal(announce({ purpose: 'comment-image' }))).toBe('taken');
    expect(await refusal(announce({ uid: 'bob' }))).toBe('taken');
    await uploads.finish(ids[0] ?? '');
    expect(await refusal(announce())).toBe('taken');
  });

  test('those whose hour is over count no more', async () => {
    await inTurn(10, () => arrive());
    ground.time.now += 61 * MINUTE_MS;
    expect(await refusal(announce())).toBe('taken');
  });
});

describe('where browsers put files without this server seeing it', () => {
  const put = (uploadId: string, content = 'RIFF') => ground.blobs.write(uploadKey(uploadId), Buffer.from(content));
  beforeEach(() => {
    uploads = new Uploads(ground.vault, Object.assign(ground.blobs, { seesPuts: false }), () => ground.time.now);
  });

  test('several at once do not close each other', async () => {
    const ids = await inTurn(10, () => announce());
    await Promise.all(ids.map((id) => put(id)));
    for (const id of ids) expect(await refusal(uploads.findArrived(id, use))).toBe('taken');
  });

  test('nobody is sent to a server that is away, and no slot is lost to it', async () => {
    let isAway = true;
    Object.assign(ground.blobs, { check: () => (isAway ? Promise.reject(new StoreAway('frozen')) : Promise.resolve()) });
    for (let times = 0; times < 11; times += 1) await expect(announce()).rejects.toThrow(StoreAway);
    isAway = false;
    await inTurn(10, () => announce());
  });

  test('the eleventh is throttled for five minutes, until those that did not come make room', async () => {
    const ids = await inTurn(10, () => announce());
    expect(await refusal(announce())).toBe('throttled');
    expect(await refusal(announce({ projectId: 'p2' }))).toBe('taken');
    await put(ids[0] ?? '');
    ground.time.now += 5 * MINUTE_MS;
    await inTurn(9, () => announce());
    expect(await refusal(announce())).toBe('throttled');
  });

  test('one that comes later than that is taken, and counts again', async () => {
    const late = await inTurn(10, () => announce());
    ground.time.now += 30 * MINUTE_MS;
    expect(await refusal(announce())).toBe('taken');
    await Promise.all(late.map((id) => put(id)));
    expect(await refusal(announce())).toBe('throttled');
    expect(await refusal(uploads.findArrived(late[0] ?? '', use))).toBe('taken');
  });

  test('one that was cut off makes room at once, and is never used', async () => {
    const ids = await inTurn(10, () => announce());
    await put(ids[3] ?? '', 'RIF');
    expect(await refusal(uploads.findArrived(ids[3] ?? '', use))).toBe('upload.not-found');
    expect(await refusal(announce())).toBe('taken');
    expect(await refusal(announce())).toBe('throttled');
  });

  test('ten that were used make room', async () => {
    for (const id of await inTurn(10, () => announce())) {
      await put(id);
      await uploads.finish(id);
    }
    expect(await refusal(announce())).toBe('taken');
  });
});

describe('using an upload', () => {
  test.each<[string, Partial<UploadRequest>]>([
    ['of somebody else', { uid: 'bob' }],
    ['for another project', { projectId: 'p2' }],
    ['for another purpose', { purpose: 'comment-image' }],
  ])('one %s is not found', async (_what, facts) => {
    expect(await refusal(uploads.findArrived(await arrive(facts), use))).toBe('upload.not-found');
  });

  test('one that never was, has not come, came short, was used, or is late is not found', async () => {
    const short = await announce();
    await ground.blobs.write(uploadKey(short), Buffer.from('RIF'));
    const used = await arrive();
    await uploads.finish(used);
    for (const id of ['nothing', await announce(), short, used]) expect(await refusal(uploads.findArrived(id, use))).toBe('upload.not-found');
    const late = await arrive();
    ground.time.now += 61 * MINUTE_MS;
    expect(await refusal(uploads.findArrived(late, use))).toBe('upload.not-found');
  });

  test('its file moves to where an event will say it is, again when the number changes, and a crash in between loses nothing', async () => {
    const uploadId = await arrive();
    const arrived = await uploads.findArrived(uploadId, use);
    const moved = await uploads.moveTo(arrived, KEY);
    expect(await uploads.moveTo(moved, KEY)).toBe(moved);
    expect(await uploads.findArrived(uploadId, use)).toMatchObject({ key: KEY, record: { places: [KEY] } });
    const again = await uploads.moveTo(moved, `${KEY}-2`);
    expect(again.key).toBe(`${KEY}-2`);
    expect([await ground.blobs.head(KEY), await ground.blobs.head(uploadKey(uploadId))]).toEqual([null, null]);
    await uploads.finish(uploadId);
    expect(await ground.blobs.head(`${KEY}-2`)).toMatchObject({ size: 4 });
    expect(await refusal(uploads.moveTo(again, KEY))).toBe('upload.not-found');
  });

  test('two servers that use it at once bring it to one place', async () => {
    const uploadId = await arrive();
    const other = new Uploads(ground.vault, ground.blobs, () => ground.time.now);
    const arrived = await Promise.all([uploads.findArrived(uploadId, use), other.findArrived(uploadId, use)]);
    const moved = await Promise.all(arrived.map((upload, at) => (at === 0 ? uploads : other).moveTo(upload, KEY)));
    expect(moved.map(({ key }) => key)).toEqual([KEY, KEY]);
    expect(await ground.blobs.head(KEY)).toMatchObject({ size: 4 });
    expect(await uploads.findArrived(uploadId, use)).toMatchObject({ key: KEY, record: { places: [KEY] } });
  });

  test('refused, it is gone with its file', async () => {
    const uploadId = await arrive();
    await uploads.discard(await uploads.findArrived(uploadId, use));
    expect([await ground.blobs.head(uploadKey(uploadId)), await uploads.exists(uploadId)]).toEqual([null, false]);
  });

  test('refused after it was brought somewhere, where an event may name it, is left to the sweep', async () => {
    const uploadId = await arrive();
    await uploads.moveTo(await uploads.findArrived(uploadId, use), KEY);
    await uploads.discard(await uploads.findArrived(uploadId, use));
    expect([(await ground.blobs.head(KEY))?.size, await uploads.exists(uploadId)]).toEqual([4, true]);
  });
});

test('what is noted of an upload at the same moment is all noted', async () => {
  const uploadId = await announce();
  expect(await Promise.all((['filling', 'open', 'filling', 'filled'] as const).map((state) => uploads.mark(uploadId, state)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect((await ground.vault.get<UploadRecord>(UPLOADS, uploadId))?.body.state).toBe('filled');
});

test('what somebody announced is taken back, whatever else is noted of it at that moment', async () => {
  const [waiting, brought] = [await announce({ projectId: 'p2' }), await arrive()];
  await uploads.moveTo(await uploads.findArrived(brought, use), KEY);
  await Promise.all([uploads.mark(waiting, 'filling'), uploads.mark(brought, 'filling'), uploads.discardAllOf('ana'), uploads.mark(waiting, 'filled')]);
  expect([await uploads.exists(waiting), await uploads.mark(brought, 'filling')]).toEqual([false, false]);
  expect(await uploads.expired({ all: true })).toMatchObject([{ uploadId: brought, record: { filename: '', state: 'closed' } }]);
});

test('an upload is swept once its hour is over and whoever uses it is done', async () => {
  const uploadId = await arrive();
  ground.time.now += 74 * MINUTE_MS;
  expect(await uploads.expired()).toEqual([]);
  ground.time.now += 2 * MINUTE_MS;
  expect(await uploads.expired()).toMatchObject([{ uploadId, record: { places: [] } }]);
});

test('which upload a key belongs to', () => {
  expect(uploadOf(uploadKey('u1'))).toBe('u1');
  expect(uploadOf(KEY)).toBeNull();
});

async function inTurn<Answer>(times: number, work: () => Promise<Answer>): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < times) answers.push(await work());
  return answers;
}
