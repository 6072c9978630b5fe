import { describe, expect, test } from '@jest/globals';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

describe('a concurrency limiter', () => {
  const gate = (): { open: () => void; passed: Promise<void> } => {
    let open = (): void => undefined;
    const passed = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, passed };
  };

  test('runs at most its limit at once and the others in order, even after a failure', async () => {
    const limiter = new ConcurrencyLimiter(2, 60_000, 100);
    const gates = [gate(), gate(), gate(), gate()];
    const started: number[] = [];
    const done = gates.map(({ passed }, index) =>
      limiter.run(async () => {
        started.push(index);
        await passed;
        if (index === 0) throw new Error('broken');
      }),
    );
    const settled = Promise.allSettled(done);
    expect(started).toEqual([0, 1]);
    gates[0]?.open();
    await expect(done[0]).rejects.toThrow('broken');
    expect(started).toEqual([0, 1, 2]);
    for (const each of gates) each.open();
    await settled;
    expect(started).toEqual([0, 1, 2, 3]);
  });

  test('refuses a call that waits past the deadline, without affecting the others', async () => {
    const limiter = new ConcurrencyLimiter(1, 1, 100);
    const { open, passed } = gate();
    const first = limiter.run(() => passed);
    await expect(limiter.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'store.busy' });
    open();
    await first;
    expect(await limiter.run(() => Promise.resolve('mine'))).toBe('mine');
  });

  test('refuses a call at once when the queue is full, and the queued ones still run', async () => {
    const limiter = new ConcurrencyLimiter(1, 60_000, 2);
    const { open, passed } = gate();
    const waiting = [limiter.run(() => passed), limiter.run(() => Promise.resolve('second')), limiter.run(() => Promise.resolve('third'))];
    await expect(limiter.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'store.busy' });
    open();
    expect((await Promise.all(waiting)).slice(1)).toEqual(['second', 'third']);
  });
});
