import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { BlobStore } from '../platform/blobs/blobs.js';
import { ServiceUnavailable } from '../platform/store-errors.js';
import { Uploads } from '../platform/uploads/uploads.js';
import { announced, filled, UPLOAD_NAMES } from '../testing/announced-uploads.js';
import { withOverride } from '../testing/temporary-vault.js';
import { openTestStores, type TestStores } from '../testing/test-stores.js';
import { EarlierFileNames } from './earlier-file-names.js';

const FOLDER = 'ana/ProjectMediaFiles/p1';
const EARLIER = [`${FOLDER}/v1/1_0-low tide.wav`, `${FOLDER}/v2/u3/1_1-high.mp3`];
const OTHERS = [`${FOLDER}/v1/peaks-u1/0`, `${FOLDER}/c1/u4.png`, 'ana/Images/ProfilePictures/p.webp', 'tutorial/Rough.wav'];
const KEPT_IN = [`${FOLDER}/v1/1_0-audio`, `${FOLDER}/v2/u3/1_1-audio`, ...OTHERS].toSorted();

let stores: TestStores;
let uploads: Uploads;
let lines: string[];
beforeEach(async () => {
  stores = await openTestStores();
  uploads = new Uploads(stores.vault, stores.blobs, () => stores.time.now, UPLOAD_NAMES);
  await uploads.declare();
  for (const key of [...EARLIER, ...OTHERS]) await stores.blobs.write(key, Buffer.from(key));
  lines = [];
});
afterEach(() => stores.close());

const namesOn = (blobs: BlobStore): EarlierFileNames => {
  const info = (facts: object, line: string): void => void lines.push(`${JSON.stringify(facts)} ${line}`);
  return new EarlierFileNames(stores.vault, blobs, { info, error: (_facts, line) => void lines.push(line) }, uploads);
};
const start = (blobs: BlobStore = stores.blobs): Promise<void> => namesOn(blobs).removeAtStart();

test('the files of versions lose their names at the start, once; all others stay', async () => {
  await start();
  expect(await stores.blobs.list('')).toEqual(KEPT_IN);
  expect(lines).toEqual(['{"files":2} removed the names of uploaded files from their paths']);
  await start(withOverride(stores.blobs, 'list', () => Promise.reject(new Error('listed again'))));
});

test('a start after a crash at any file completes it', async () => {
  for (let step = 0; step < EARLIER.length; step += 1) {
    let moves = 0;
    const crashing = withOverride(stores.blobs, 'move', (from, to) => {
      moves += 1;
      return moves > step ? Promise.reject(new ServiceUnavailable('away')) : stores.blobs.move(from, to);
    });
    await expect(namesOn(crashing).remove()).rejects.toThrow(ServiceUnavailable);
  }
  await Promise.all([start(), start()]);
  expect(await stores.blobs.list('')).toEqual(KEPT_IN);
});

test('a start without the file store goes on, and renames nothing', async () => {
  await start(withOverride(stores.blobs, 'list', () => Promise.reject(new ServiceUnavailable('away'))));
  expect(lines).toEqual(['renaming the files of an earlier version failed; retrying every hour and at the next start']);
  await namesOn(stores.blobs).remove();
  expect(await stores.blobs.list('')).toEqual(KEPT_IN);
});

test('an upload whose file had been moved can still be used', async () => {
  const uploadId = await filled({ stores, uploads });
  const use = { uid: 'ana', purpose: 'version', projectId: 'p1' } as const;
  await uploads.moveTo(await uploads.findArrived(uploadId, use), `${FOLDER}/v3/1_2-secret.wav`);
  await announced({ stores, uploads });
  await start();
  const { key, record } = await uploads.findArrived(uploadId, use);
  expect([key, record.places]).toEqual([`${FOLDER}/v3/1_2-audio`, [`${FOLDER}/v3/1_2-audio`]]);
});
