import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { ErasureList } from './erasure-list.js';
import { KeyEpoch } from './key-epoch.js';
import { missingFromList, ErasureRegister } from './erasure-register.js';

const masterKey = randomBytes(32);

let stores: TestStores;
let logged: { readonly file: string; readonly people: number }[];
let epochs: KeyEpoch[];

const log = { info: () => undefined, error: (facts: object) => void logged.push(facts as (typeof logged)[number]) };
const fileOf = (name: string): string => join(stores.folder, name);
const uidsIn = async (name: string): Promise<readonly string[]> => (await (await ErasureList.existing(fileOf(name))).all()).map(({ uid }) => uid);

/** A process on the shared vault, with its own list and epoch. */
async function aProcess(name: string): Promise<{ readonly register: ErasureRegister; readonly epoch: KeyEpoch }> {
  const epoch = await KeyEpoch.open(stores.vault, masterKey, { pollMs: 10, validMs: 150, slackMs: 20 });
  epochs.push(epoch);
  return { epoch, register: await ErasureRegister.open({ list: await ErasureList.open(fileOf(name)), vault: stores.vault, epoch, log }) };
}

/** Resolves when a process has noticed the erasure and compared its list. */
async function noticed({ register, epoch }: { readonly register: ErasureRegister; readonly epoch: KeyEpoch }, erase: () => Promise<void>): Promise<void> {
  const moved = new Promise<void>((resolve) => epoch.onChange(resolve));
  await erase();
  await moved;
  await register.close();
}

beforeEach(async () => {
  stores = await openTestStores();
  logged = [];
  epochs = [];
});
afterEach(async () => {
  await Promise.all(epochs.map((epoch) => epoch.close()));
  await stores.close();
});

describe('erasures', () => {
  test('are added to list and vault once, even if requested again', async () => {
    const { register } = await aProcess('one');
    await register.add({ uid: 'ana', at: 1 });
    await register.add({ uid: 'ana', at: 2 });
    expect(await register.all()).toEqual([{ uid: 'ana', at: 1 }]);
    expect((await stores.vault.find('erased', {})).map(({ id, body }) => [id, body])).toEqual([['ana', { at: 1 }]]);
  });

  test('reach every list: a process with a list of its own logs an error and adds them', async () => {
    const [eraser, other] = [await aProcess('one'), await aProcess('two')];
    await noticed(other, async () => {
      await eraser.register.add({ uid: 'ana', at: 1 });
      await eraser.epoch.advance();
    });
    expect(logged).toMatchObject([{ file: fileOf('two'), people: 1 }]);
    expect(await other.register.all()).toEqual([{ uid: 'ana', at: 1 }]);
    await noticed(eraser, async () => {
      await other.register.add({ uid: 'bob', at: 2 });
      await other.epoch.advance();
    });
    expect([await uidsIn('one'), await uidsIn('two')]).toEqual([
      ['ana', 'bob'],
      ['ana', 'bob'],
    ]);
    expect(logged.map(({ file }) => file)).toEqual([fileOf('two'), fileOf('one')]);
  });

  test('are added once to a shared list, without an error', async () => {
    const [eraser, other] = [await aProcess('shared'), await aProcess('shared')];
    await noticed(other, async () => {
      await eraser.register.add({ uid: 'ana', at: 1 });
      await eraser.epoch.advance();
    });
    expect([await uidsIn('shared'), logged]).toEqual([['ana'], []]);
  });

  test('are added at the next start to a list that was lost or replaced by an older copy', async () => {
    const { register } = await aProcess('one');
    for (const [at, uid] of ['ana', 'bob'].entries()) await register.add({ uid, at });
    await writeFile(fileOf('one'), '{"uid":"bob","at":1}\n');
    expect((await missingFromList(await ErasureList.existing(fileOf('one')), stores.vault)).map(({ uid }) => uid)).toEqual(['ana']);
    await aProcess('one');
    expect(await uidsIn('one')).toEqual(['bob', 'ana']);
    await rm(fileOf('one'));
    await aProcess('one');
    expect(await uidsIn('one')).toEqual(['ana', 'bob']);
    expect(logged).toMatchObject([{ people: 1 }, { people: 2 }]);
  });
});
