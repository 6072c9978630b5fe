import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../../kernel/decider.js';
import type { DomainEvent } from '../../kernel/event.js';
import type { StreamFolds } from '../streams/stream-folds.js';
import { type MoveWork, MoveRefused } from './move-work.js';

/** Folds one stream: any decider, its state compared and not looked into. */
export type AnyFold = (folds: StreamFolds, stream: string) => Promise<unknown>;

/** What a decider makes of a stream: its state, and the commands it remembers. */
export const foldBy =
  <State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>): AnyFold =>
  async (folds, stream) => {
    const { state, revision, commands, lastEventId } = await folds.current(decider, stream);
    return { state, revision, commands, lastEventId };
  };

/** The same streams as two logs hold them, each opened with the keys beside it. */
export interface Both {
  readonly from: StreamFolds;
  readonly to: StreamFolds;
}

/**
 * Folds every stream of both logs as commands would, opened with the keys of both vaults: whoever goes on there goes on from the same state.
 * @returns how many were compared @throws MoveRefused for one that differs
 */
export async function compareFolds(
  streams: Iterable<string>,
  both: Both,
  { foldOf, signal }: Pick<MoveWork, 'signal'> & { foldOf: (stream: string) => AnyFold | null },
): Promise<number> {
  let compared = 0;
  for (const stream of streams) {
    signal.throwIfAborted();
    const fold = foldOf(stream);
    if (fold === null) continue;
    if (!isDeepStrictEqual(await fold(both.from, stream), await fold(both.to, stream))) throw new MoveRefused(`${stream} folds to another state there`);
    compared += 1;
  }
  return compared;
}
