import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../../kernel/decider.js';
import type { DomainEvent } from '../../kernel/event.js';
import type { StreamFolds } from '../streams/stream-folds.js';
import { type MoveOptions, MoveRefused } from './move-options.js';

/** Folds one stream with some decider. States are only compared, so their type does not matter. */
export type StreamFold = (folds: StreamFolds, stream: string) => Promise<unknown>;

/** Folds with a decider, including the commands that its stream remembers. */
export const foldBy =
  <State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>): StreamFold =>
  async (folds, stream) => {
    const { state, revision, commands, lastEventId } = await folds.current(decider, stream);
    return { state, revision, commands, lastEventId };
  };

/** The folds of both logs, each decrypted with the keys of its own vault. */
export interface FoldPair {
  readonly from: StreamFolds;
  readonly to: StreamFolds;
}

/**
 * Folds every stream of both logs as commands do, and compares the states.
 * @returns how many were compared @throws MoveRefused if one differs
 */
export async function compareFolds(
  streams: Iterable<string>,
  both: FoldPair,
  { foldOf, signal }: Pick<MoveOptions, 'signal'> & { foldOf: (stream: string) => StreamFold | null },
): Promise<number> {
  let compared = 0;
  for (const stream of streams) {
    signal.throwIfAborted();
    const fold = foldOf(stream);
    if (fold === null) continue;
    if (!isDeepStrictEqual(await fold(both.from, stream), await fold(both.to, stream)))
      throw new MoveRefused(`${stream} folds to a different state on the target`);
    compared += 1;
  }
  return compared;
}
