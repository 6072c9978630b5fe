import type { FoldedStream, NamedDecider } from './folded-stream.js';

/** A fold in memory. */
export interface Entry {
  readonly fold: FoldedStream<unknown>;
  readonly decider: NamedDecider;
  /** Events that it counted for when it was last kept. */
  weight: number;
}

/** A state grows with its stream, so the cache is bounded by the number of events its folds were made of. */
const MOST_EVENTS = 500_000;
/** Cost of a fold besides its events. */
const OWN_WEIGHT = 250;

const keyOf = (decider: NamedDecider, stream: string): string => `${decider.name}/${stream}`;

/** Least-recently-used cache of folds by stream and decider: several deciders may fold one stream, each to a state of its own. */
export class FoldCache {
  private readonly entries = new Map<string, Entry>();
  private weight = 0;

  get<State>(decider: NamedDecider, stream: string): FoldedStream<State> | null {
    return (this.entries.get(keyOf(decider, stream))?.fold as FoldedStream<State> | undefined) ?? null;
  }

  /** Whether this very fold is the one kept. */
  holds(decider: NamedDecider, fold: FoldedStream<unknown>): boolean {
    return this.entries.get(keyOf(decider, fold.stream))?.fold === fold;
  }

  keep(decider: NamedDecider, fold: FoldedStream<unknown>): void {
    const key = keyOf(decider, fold.stream);
    this.drop(key);
    const weight = OWN_WEIGHT + fold.revision;
    this.entries.set(key, { fold, decider, weight });
    this.weight += weight;
    while (this.weight > MOST_EVENTS && this.entries.size > 1) {
      const [oldest] = this.entries.keys();
      if (oldest !== undefined) this.drop(oldest);
    }
  }

  /** Those kept, the one used last first. */
  folds(): readonly Entry[] {
    return [...this.entries.values()].toReversed();
  }

  /** Drops every decider's fold of a stream. */
  forget(stream: string): void {
    for (const [key, { fold }] of this.entries) if (fold.stream === stream) this.drop(key);
  }

  clear(): void {
    this.entries.clear();
    this.weight = 0;
  }

  private drop(key: string): void {
    this.weight -= this.entries.get(key)?.weight ?? 0;
    this.entries.delete(key);
  }
}
