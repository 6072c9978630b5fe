import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from '@jest/globals';
import { ServiceUnavailable } from '../store-errors.js';
import { asStoreError, packError, unpackError } from './sqlite-errors.js';

test('a full disk, a locked file and a missing folder are distinguished, even after passing between threads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-sqlite-'));
  const file = join(folder, 'a.db');
  const db = new DatabaseSync(file);
  db.exec('PRAGMA max_page_count=3; CREATE TABLE t(a)');
  const names = [
    failure(() => void db.prepare('INSERT INTO t VALUES(?)').run('x'.repeat(50_000))),
    failure(() => void db.prepare('INSERT INTO t VALUES(?) RETURNING a').all('x'.repeat(50_000))),
    failure(() => void new DatabaseSync(join(folder, 'none', 'b.db'))),
    failure(() => db.exec('no statement')),
  ].map((error) => [asStoreError(error, file).name, unpackError(packError(error, file)).name]);
  expect(names).toEqual([
    ['DiskFull', 'DiskFull'],
    ['DiskFull', 'DiskFull'],
    ['ServiceUnavailable', 'ServiceUnavailable'],
    ['Error', 'Error'],
  ]);
  expect(unpackError(packError(new ServiceUnavailable('closed'), file))).toEqual(new ServiceUnavailable('closed'));
  db.close();
  await rm(folder, { recursive: true });
});

function failure(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}
