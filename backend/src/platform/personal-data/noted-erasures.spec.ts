import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { ErasureList } from './erasure-list.js';
import { KeyEpoch } from './key-epoch.js';
import { missingIn, NotedErasures } from './noted-erasures.js';

const masterKey = randomBytes(32);

let ground: TestStores;
let told: { readonly file: string; readonly people: number }[];
let epochs: KeyEpoch[];

/** Who writes errors down. */
const log = { info: () => undefined, error: (facts: object) => void told.push(facts as (typeof told)[number]) };
const fileOf = (name: string): string => join(ground.folder, name);
const uidsIn = async (name: string): Promise<readonly string[]> => (await (await ErasureList.existing(fileOf(name))).all()).map(({ uid }) => uid);

/** What a process has of its own on the shared vault: its list, and when it hears of erasures elsewhere. */
async function aProcess(name: string): Promise<{ readonly noted: NotedErasures; readonly epoch: KeyEpoch }> {
  const epoch = await KeyEpoch.open(ground.vault, masterKey, { look: 10, certain: 150, slack: 20 });
  epochs.push(epoch);
  return { epoch, noted: await NotedErasures.open({ list: await ErasureList.open(fileOf(name)), vault: ground.vault, epoch, log }) };
}

/** Resolves when a process has heard of the erasure and looked at its list. */
async function heard({ noted, epoch }: { readonly noted: NotedErasures; readonly epoch: KeyEpoch }, erase: () => Promise<void>): Promise<void> {
  const moved = new Promise<void>((resolve) => epoch.onMoved(resolve));
  await erase();
  await moved;
  await noted.close();
}

beforeEach(async () => {
  ground = await openTestStores();
  told = [];
  epochs = [];
});
afterEach(async () => {
  await Promise.all(epochs.map((epoch) => epoch.close()));
  await ground.close();
});

describe('erasures', () => {
  test('are noted in list and vault, once however often they are asked', async () => {
    const { noted } = await aProcess('one');
    await noted.note({ uid: 'ana', at: 1 });
    await noted.note({ uid: 'ana', at: 2 });
    expect(await noted.all()).toEqual([{ uid: 'ana', at: 1 }]);
    expect((await ground.vault.find('erased', {})).map(({ id, body }) => [id, body])).toEqual([['ana', { at: 1 }]]);
  });

  test('stand in every list: processes that were given lists of their own say so and bring them on', async () => {
    const [eraser, other] = [await aProcess('one'), await aProcess('two')];
    await heard(other, async () => {
      await eraser.noted.note({ uid: 'ana', at: 1 });
      await eraser.epoch.move();
    });
    expect(told).toMatchObject([{ file: fileOf('two'), people: 1 }]);
    expect(await other.noted.all()).toEqual([{ uid: 'ana', at: 1 }]);
    await heard(eraser, async () => {
      await other.noted.note({ uid: 'bob', at: 2 });
      await other.epoch.move();
    });
    expect([await uidsIn('one'), await uidsIn('two')]).toEqual([
      ['ana', 'bob'],
      ['ana', 'bob'],
    ]);
    expect(told.map(({ file }) => file)).toEqual([fileOf('two'), fileOf('one')]);
  });

  test('stand once in a list that is shared, and nobody complains', async () => {
    const [eraser, other] = [await aProcess('shared'), await aProcess('shared')];
    await heard(other, async () => {
      await eraser.noted.note({ uid: 'ana', at: 1 });
      await eraser.epoch.move();
    });
    expect([await uidsIn('shared'), told]).toEqual([['ana'], []]);
  });

  test('come back into a list that was lost or is an older one, at the next start', async () => {
    const { noted } = await aProcess('one');
    for (const [at, uid] of ['ana', 'bob'].entries()) await noted.note({ uid, at });
    await writeFile(fileOf('one'), '{"uid":"bob","at":1}\n');
    expect((await missingIn(await ErasureList.existing(fileOf('one')), ground.vault)).map(({ uid }) => uid)).toEqual(['ana']);
    await aProcess('one');
    expect(await uidsIn('one')).toEqual(['bob', 'ana']);
    await rm(fileOf('one'));
    await aProcess('one');
    expect(await uidsIn('one')).toEqual(['ana', 'bob']);
    expect(told).toMatchObject([{ people: 1 }, { people: 2 }]);
  });
});
