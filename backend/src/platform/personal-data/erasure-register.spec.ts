import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { ErasureList } from './erasure-list.js';
import { KeyEpoch } from './key-epoch.js';
import { missingFromList, ErasureRegister } from './erasure-register.js';

const masterKey = randomBytes(32);

let ground: TestStores;
let told: { readonly file: string; readonly people: number }[];
let epochs: KeyEpoch[];

/** Who writes errors down. */
const log = { info: () => undefined, error: (facts: object) => void told.push(facts as (typeof told)[number]) };
const fileOf = (name: string): string => join(ground.folder, name);
const uidsIn = async (name: string): Promise<readonly string[]> => (await (await ErasureList.existing(fileOf(name))).all()).map(({ uid }) => uid);

/** What a process has of its own on the shared vault: its list, and when it hears of erasures elsewhere. */
async function aProcess(name: string): Promise<{ readonly register: ErasureRegister; readonly epoch: KeyEpoch }> {
  const epoch = await KeyEpoch.open(ground.vault, masterKey, { pollMs: 10, validMs: 150, slackMs: 20 });
  epochs.push(epoch);
  return { epoch, register: await ErasureRegister.open({ list: await ErasureList.open(fileOf(name)), vault: ground.vault, epoch, log }) };
}

/** Resolves when a process has heard of the erasure and looked at its list. */
async function heard({ register, epoch }: { readonly register: ErasureRegister; readonly epoch: KeyEpoch }, erase: () => Promise<void>): Promise<void> {
  const moved = new Promise<void>((resolve) => epoch.onChange(resolve));
  await erase();
  await moved;
  await register.close();
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
    const { register } = await aProcess('one');
    await register.add({ uid: 'ana', at: 1 });
    await register.add({ uid: 'ana', at: 2 });
    expect(await register.all()).toEqual([{ uid: 'ana', at: 1 }]);
    expect((await ground.vault.find('erased', {})).map(({ id, body }) => [id, body])).toEqual([['ana', { at: 1 }]]);
  });

  test('stand in every list: processes that were given lists of their own say so and bring them on', async () => {
    const [eraser, other] = [await aProcess('one'), await aProcess('two')];
    await heard(other, async () => {
      await eraser.register.add({ uid: 'ana', at: 1 });
      await eraser.epoch.advance();
    });
    expect(told).toMatchObject([{ file: fileOf('two'), people: 1 }]);
    expect(await other.register.all()).toEqual([{ uid: 'ana', at: 1 }]);
    await heard(eraser, async () => {
      await other.register.add({ uid: 'bob', at: 2 });
      await other.epoch.advance();
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
      await eraser.register.add({ uid: 'ana', at: 1 });
      await eraser.epoch.advance();
    });
    expect([await uidsIn('shared'), told]).toEqual([['ana'], []]);
  });

  test('come back into a list that was lost or is an older one, at the next start', async () => {
    const { register } = await aProcess('one');
    for (const [at, uid] of ['ana', 'bob'].entries()) await register.add({ uid, at });
    await writeFile(fileOf('one'), '{"uid":"bob","at":1}\n');
    expect((await missingFromList(await ErasureList.existing(fileOf('one')), ground.vault)).map(({ uid }) => uid)).toEqual(['ana']);
    await aProcess('one');
    expect(await uidsIn('one')).toEqual(['bob', 'ana']);
    await rm(fileOf('one'));
    await aProcess('one');
    expect(await uidsIn('one')).toEqual(['ana', 'bob']);
    expect(told).toMatchObject([{ people: 1 }, { people: 2 }]);
  });
});
