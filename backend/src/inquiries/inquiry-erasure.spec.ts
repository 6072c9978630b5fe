import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ErasureList } from '../platform/personal-data/erasure-list.js';
import { ErasureRegister } from '../platform/personal-data/erasure-register.js';
import { TextErasure } from '../platform/personal-data/text-erasure.js';
import type { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { ServiceUnavailable } from '../platform/store-errors.js';
import { Streams } from '../platform/streams/streams.js';
import { StreamFolds } from '../platform/streams/stream-folds.js';
import { slices } from '../slices.js';
import { withOverride } from '../testing/temporary-vault.js';
import { openTestStores, type TestStores } from '../testing/test-stores.js';
import { INVITE_REQUESTS } from './inquiries.documents.js';
import { InquiryErasure } from './inquiry-erasure.streams.js';
import { InquiryStreams } from './inquiry.streams.js';

const email = 'quillmara@example.org';
let stores: TestStores;
let runner: ProjectionRunner;
let register: ErasureRegister;

beforeEach(async () => {
  stores = await openTestStores();
  runner = stores.projections();
  await runner.start(slices.projectors);
  const { vault, log } = stores;
  register = await ErasureRegister.open({ list: await ErasureList.open(join(stores.folder, 'erasures.ndjson')), vault, epoch: null, log });
});
afterEach(async () => {
  await register.close();
  await runner.stop();
  await stores.close();
});

/** A process with an empty cache. It can write to the log only if `canWrite` is set. */
function process({ canWrite }: { readonly canWrite: boolean }): { readonly streams: InquiryStreams; readonly erasure: InquiryErasure } {
  const { store, opened, sealer, documents, vault, dataKeys, time } = stores;
  const log = canWrite ? store : withOverride(store, 'append', () => Promise.reject(new ServiceUnavailable('the log cannot be written')));
  const streams = new InquiryStreams(new Streams(log, new StreamFolds(log, opened), sealer), runner.deps.readSide, () => time.now);
  return { streams, erasure: new InquiryErasure(streams, register, new TextErasure(documents, vault, dataKeys)) };
}

test('an erasure by address that could not write its event is completed by the next one', async () => {
  const sound = process({ canWrite: true });
  await sound.streams.record({ type: 'RequestInvite', data: { inquiryId: 'i1', email, at: 1 } });
  await expect(process({ canWrite: false }).erasure.eraseAddress(email, 2)).rejects.toThrow(ServiceUnavailable);
  expect(await stores.reads.get(INVITE_REQUESTS, 'i1')).toMatchObject({ email });
  const { erasure } = process({ canWrite: true });
  expect([await erasure.eraseAddress(email, 3), await erasure.eraseAddress(email, 3)]).toEqual([1, 0]);
  expect(await stores.reads.get(INVITE_REQUESTS, 'i1')).toBeNull();
});
