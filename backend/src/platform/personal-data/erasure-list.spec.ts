import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ErasureList, erasuresFileOf } from './erasure-list.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-erasures-'));
  file = join(folder, 'lists', 'erasures.ndjson');
});
afterEach(() => rm(folder, { recursive: true }));

describe('the list of erasures', () => {
  test('is beside the data folder unless ERASURES_FILE is set', () => {
    expect(erasuresFileOf({ DATA_DIR: '/srv/data', ERASURES_FILE: null })).toBe('/srv/data.erasures.ndjson');
    expect(erasuresFileOf({ DATA_DIR: '/srv/data', ERASURES_FILE: '/srv/kept.ndjson' })).toBe('/srv/kept.ndjson');
  });

  test('is created empty, so that a missing list means a lost one', async () => {
    await expect(ErasureList.existing(file)).rejects.toThrow(`ERASURES_FILE: there is no ${file}`);
    await ErasureList.open(file);
    expect(await (await ErasureList.existing(file)).all()).toEqual([]);
  });

  test('returns each user once, with the first instant, oldest first', async () => {
    const list = await ErasureList.open(file);
    await list.add({ uid: 'ana', at: 1 });
    await list.add({ uid: 'bob', at: 2 });
    await list.add({ uid: 'ana', at: 3 });
    expect(await list.all()).toEqual([
      { uid: 'ana', at: 1 },
      { uid: 'bob', at: 2 },
    ]);
    expect(await readFile(file, 'utf8')).toBe('{"uid":"ana","at":1}\n{"uid":"bob","at":2}\n{"uid":"ana","at":3}\n');
  });

  test('accepts new lines after one that a crash cut off', async () => {
    const list = await ErasureList.open(file);
    await list.add({ uid: 'ana', at: 1 });
    await appendFile(file, '{"uid":"bo');
    expect(await list.all()).toEqual([{ uid: 'ana', at: 1 }]);
    await list.add({ uid: 'carl', at: 3 });
    expect((await list.all()).map(({ uid }) => uid)).toEqual(['ana', 'carl']);
  });

  test('detects whether it continues from an earlier state', async () => {
    const list = await ErasureList.open(file);
    const empty = await list.state();
    await list.add({ uid: 'ana', at: 1 });
    const earlier = await list.state();
    await list.add({ uid: 'bob', at: 2 });
    expect([await list.continues(empty), await list.continues(earlier)]).toEqual([true, true]);
    await writeFile(file, '{"uid":"eve","at":1}\n{"uid":"bob","at":2}\n');
    expect(await list.continues(earlier)).toBe(false);
    await writeFile(file, '');
    expect([await list.continues(empty), await list.continues(earlier)]).toEqual([true, false]);
  });

  test('with a line without a uid is refused', async () => {
    const list = await ErasureList.open(file);
    await appendFile(file, '{"at":1}\n');
    await expect(list.all()).rejects.toThrow(`${file}:1: has no uid or time`);
  });
});
