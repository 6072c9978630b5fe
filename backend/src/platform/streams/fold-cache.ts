import type { FoldedStream, NamedDecider } from './folded-stream.js';

/** A fold in memory. */
export interface Entry {
  readonly fold: FoldedStream<unknown>;
  readonly decider: NamedDecider;
  /** Events that it counted for when it was last kept. */
  weight: number;
}

/** A state grows with its stream: the folds kept are made of at most this many events. */
const MOST_EVENTS = 500_000;
/** What a fold costs beside its events. */
const OWN_WEIGHT = 250;

/** Folds in memory; those not used for the longest time leave first. */
export class FoldCache {
  private readonly entries = new Map<string, Entry>();
  private weight = 0;

  get<State>(stream: string): FoldedStream<State> | null {
    return (this.entries.get(stream)?.fold as FoldedStream<State> | undefined) ?? null;
  }

  /** Whether this very fold is the one kept. */
  holds(fold: FoldedStream<unknown>): boolean {
    return this.entries.get(fold.stream)?.fold === fold;
  }

  keep(decider: NamedDecider, fold: FoldedStream<unknown>): void {
    this.forget(fold.stream);
    const weight = OWN_WEIGHT + fold.revision;
    this.entries.set(fold.stream, { fold, decider, weight });
    this.weight += weight;
    while (this.weight > MOST_EVENTS && this.entries.size > 1) {
      const [oldest] = this.entries.keys();
      if (oldest !== undefined) this.forget(oldest);
    }
  }

  /** Those kept, the one used last first. */
  folds(): readonly Entry[] {
    return [...this.entries.values()].toReversed();
  }

  forget(stream: string): void {
    this.weight -= this.entries.get(stream)?.weight ?? 0;
    this.entries.delete(stream);
  }

  clear(): void {
    this.entries.clear();
    this.weight = 0;
  }
}
