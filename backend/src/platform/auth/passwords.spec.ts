import { describe, expect, test } from '@jest/globals';
import { passwordProblem, Passwords } from './passwords.js';
import { Turns } from './turns.js';

describe('a new password', () => {
  test.each([
    ['1234567', 'password.too-short'],
    ['1234abcd', null],
    ['', 'password.too-short'],
    ['x'.repeat(128), null],
    ['x'.repeat(129), 'password.too-long'],
    ['correct horse', 'password.space'],
    ['correct\thorse', 'password.space'],
    ['password', 'password.too-common'],
    ['PassWord123', 'password.too-common'],
    ['iloveyou', 'password.too-common'],
    ['ｐａｓｓｗｏｒｄ', 'password.too-common'],
    ['tape-hiss-and-rain', null],
    ['äöüäöüäö', null],
  ])('%j: %s', (password, problem) => {
    expect(passwordProblem(password)).toBe(problem);
  });
});

describe('a hash', () => {
  const passwords = new Passwords();

  test('is Argon2id with 19 MiB, two passes and one lane, and fits its password alone', async () => {
    const hashed = await passwords.hash('tape-hiss-and-rain');
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.matches(hashed, 'tape-hiss-and-rain')).toBe(true);
    expect(await passwords.matches(hashed, 'tape-hiss-and-snow')).toBe(false);
  });

  test('fits the same password in other code points', async () => {
    expect(await passwords.matches(await passwords.hash('caf\u00e9-au-lait'), 'cafe\u0301-au-lait')).toBe(true);
  });

  test('of nobody fits nothing and costs the same work', async () => {
    expect(await passwords.matches(null, 'tape-hiss-and-rain')).toBe(false);
  });

  test('is not computed when the guard refuses', async () => {
    await expect(passwords.matches(null, 'x', () => Promise.reject(new Error('throttled')))).rejects.toThrow('throttled');
  });
});

describe('turns', () => {
  const gate = (): { open: () => void; passed: Promise<void> } => {
    let open = (): void => undefined;
    const passed = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, passed };
  };

  test('let so many work at once, the others in order, also after a failure', async () => {
    const turns = new Turns(2, 60_000, 100);
    const gates = [gate(), gate(), gate(), gate()];
    const begun: number[] = [];
    const done = gates.map(({ passed }, index) =>
      turns.take(async () => {
        begun.push(index);
        await passed;
        if (index === 0) throw new Error('broken');
      }),
    );
    const settled = Promise.allSettled(done);
    expect(begun).toEqual([0, 1]);
    gates[0]?.open();
    await expect(done[0]).rejects.toThrow('broken');
    expect(begun).toEqual([0, 1, 2]);
    for (const each of gates) each.open();
    await settled;
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  test('that do not come in time are refused, and nobody else loses theirs', async () => {
    const turns = new Turns(1, 1, 100);
    const { open, passed } = gate();
    const first = turns.take(() => passed);
    await expect(turns.take(() => Promise.resolve())).rejects.toMatchObject({ code: 'store.busy' });
    open();
    await first;
    expect(await turns.take(() => Promise.resolve('mine'))).toBe('mine');
  });

  test('are refused at once when too many wait, whoever came before waits on', async () => {
    const turns = new Turns(1, 60_000, 2);
    const { open, passed } = gate();
    const waiting = [turns.take(() => passed), turns.take(() => Promise.resolve('second')), turns.take(() => Promise.resolve('third'))];
    await expect(turns.take(() => Promise.resolve())).rejects.toMatchObject({ code: 'store.busy' });
    open();
    expect((await Promise.all(waiting)).slice(1)).toEqual(['second', 'third']);
  });
});
