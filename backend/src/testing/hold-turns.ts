import type { FairQueue } from '../platform/fair-queue.js';

/** At least as many as one person may run at once. */
const TURNS = 8;

/** Takes a person's turns, so that their later work waits. @returns what gives them back */
export function holdTurns(queue: FairQueue, uid: string): () => Promise<void> {
  let giveBack = (): void => undefined;
  const held = new Promise<void>((resolve) => (giveBack = resolve));
  const turns = Array.from({ length: TURNS }, () => queue.run(uid, () => held));
  return async () => {
    giveBack();
    await Promise.all(turns);
  };
}
