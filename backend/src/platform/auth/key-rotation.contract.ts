import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { refuseUnfinishedRotation, ROTATIONS } from '../moving/unfinished-work.js';
import { DataKeys } from '../personal-data/data-keys.js';
import { KeyEpoch } from '../personal-data/key-epoch.js';
import type { VaultStorage } from '../vault/vault.contract.js';
import type { Vault } from '../vault/vault.js';
import { rotateMasterKey, RotationRefused, type RotationSteps, WRAPPED } from './key-rotation.js';
import { VaultKeys, WrongMasterKey } from './vault-keys.js';

const SUBJECTS = ['user-ana', 'user-bob', 'project-1', 'project-2'];
const STEPS = ['insert', 'replace', 'remove', 'scrub'] as const;

/** What the keys of a vault open to, which no rotation changes. */
interface Opened {
  readonly requests: string;
  readonly data: readonly (string | undefined)[];
  readonly epoch: string;
}

const open = async (vault: Vault, masterKey: Buffer): Promise<Opened> => {
  const vaultKeys = await VaultKeys.open(vault, masterKey);
  const dataKeys = await DataKeys.open(vault, masterKey);
  const epoch = await KeyEpoch.open(vault, masterKey);
  await epoch.close();
  const data = [...SUBJECTS, 'user-erased'].map(async (subject) => (await dataKeys.forOpening(subject))?.toString('hex'));
  return { requests: vaultKeys.key('requests').toString('hex'), data: await Promise.all(data), epoch: epoch.key.toString('hex') };
};

/** A program that is killed after this many writes: whatever it does later does not happen. */
function killedAfter(vault: Vault, writes: number): { readonly vault: Vault; readonly steps: RotationSteps } {
  let left = writes;
  const step = <Answer>(work: () => Answer): Answer => {
    if (left === 0) throw new Error('killed');
    left -= 1;
    return work();
  };
  const killed = new Proxy(vault, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const call = (...args: readonly unknown[]): unknown => Reflect.apply(member, target, args) as unknown;
      return STEPS.some((each) => each === name) ? (...args: readonly unknown[]) => step(() => call(...args)) : call;
    },
  });
  const steps = { signal: new AbortController().signal, place: () => step(() => Promise.resolve()), finished: () => step(() => undefined) };
  return { vault: killed, steps };
}

/** What a rotation of the master key promises on every vault. */
export function keyRotationContract(name: string, fresh: () => Promise<VaultStorage>): void {
  describe(`rotating the master key on ${name}`, () => {
    let storage: VaultStorage;
    let vault: Vault;
    let from: Buffer;
    let before: Opened;
    let placed: number;
    let finished: number;
    const steps: RotationSteps = {
      signal: new AbortController().signal,
      place: () => {
        placed += 1;
        return Promise.resolve();
      },
      finished: () => {
        finished += 1;
      },
    };
    const bodies = async () => Promise.all(WRAPPED.map(async (kind) => (await vault.find(kind.name, {})).map(({ id, body }) => [id, body])));

    beforeEach(async () => {
      [placed, finished] = [0, 0];
      storage = await fresh();
      vault = await storage.open();
      from = randomBytes(32);
      const dataKeys = await DataKeys.open(vault, from);
      for (const subject of SUBJECTS) await dataKeys.forSealing(subject);
      await vault.put('data-keys', 'user-erased', { destroyed: true });
      before = await open(vault, from);
      await refuseUnfinishedRotation(vault);
    });
    afterEach(async () => {
      await vault.close();
      await storage.remove();
    });

    test('keeps every key, and only the new master key opens them', async () => {
      const to = randomBytes(32);
      const count = await rotateMasterKey(vault, { from, to }, steps);
      expect(count).toBe((await bodies()).flat().filter(([, body]) => body !== undefined && typeof body !== 'string' && 'wrapped' in body).length);
      expect(await open(vault, to)).toEqual(before);
      await expect(VaultKeys.open(vault, from)).rejects.toThrow(WrongMasterKey);
      expect((await vault.get('data-keys', 'user-erased'))?.body).toEqual({ destroyed: true });
      await refuseUnfinishedRotation(vault);
      expect([placed, finished]).toEqual([1, 1]);
    });

    test('again with the same keys changes nothing', async () => {
      const to = randomBytes(32);
      await rotateMasterKey(vault, { from, to }, steps);
      const after = await bodies();
      expect(await rotateMasterKey(vault, { from, to }, steps)).toBe(0);
      expect(await bodies()).toEqual(after);
      expect([placed, finished]).toEqual([1, 1]);
    });

    test('with a wrong old key changes nothing', async () => {
      const unchanged = await bodies();
      await expect(rotateMasterKey(vault, { from: randomBytes(32), to: randomBytes(32) }, steps)).rejects.toThrow('MASTER_KEY: not the key of this vault');
      expect(await bodies()).toEqual(unchanged);
      expect(await vault.find(ROTATIONS.name, {})).toEqual([]);
      expect(placed).toBe(0);
    });

    test('with a key that neither master key opens changes nothing', async () => {
      await vault.put('data-keys', 'user-odd', { wrapped: 'AAAA' });
      const unchanged = await bodies();
      await expect(rotateMasterKey(vault, { from, to: randomBytes(32) }, steps)).rejects.toThrow(new RotationRefused('neither key opens data-keys/user-odd'));
      expect(await bodies()).toEqual(unchanged);
      expect(await vault.find(ROTATIONS.name, {})).toEqual([]);
    });

    test('killed after any of its steps, keeps programs from starting, loses no key and is completed by running it again', async () => {
      // The marker, each key with the check, the scrub, the new key's place, its line in the log, and the marker's removal. A tombstone has no key.
      const writes = (await bodies()).flat().length - 1 + 5;
      for (let nth = 1; nth < writes; nth++) {
        const to = randomBytes(32);
        const program = killedAfter(vault, nth);
        await expect(rotateMasterKey(program.vault, { from, to }, program.steps)).rejects.toThrow('killed');
        await expect(refuseUnfinishedRotation(vault)).rejects.toThrow('run operate -- keys rotate again, with the same keys');
        await expect(rotateMasterKey(vault, { from, to: randomBytes(32) }, steps)).rejects.toThrow(RotationRefused);
        await rotateMasterKey(vault, { from, to }, steps);
        expect(await open(vault, to)).toEqual(before);
        from = to;
      }
      const last = killedAfter(vault, writes);
      const to = randomBytes(32);
      await rotateMasterKey(last.vault, { from, to }, last.steps);
      expect(await open(vault, to)).toEqual(before);
    });

    test('also wraps a key that an overlooked process created with the old one', async () => {
      const to = randomBytes(32);
      await rotateMasterKey(vault, { from, to }, steps);
      const late = await (await DataKeys.open(vault, from)).forSealing('project-late');
      expect(await rotateMasterKey(vault, { from, to }, steps)).toBe(1);
      expect(await (await DataKeys.open(vault, to)).forOpening('project-late')).toEqual(late);
    });
  });
}
