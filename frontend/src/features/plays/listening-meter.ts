import type { Id } from '@roughmix/contracts/shared/ids.js';

/** Half a second more than the server asks for, because messages may travel at different speeds. */
const EVERY_MS = 30_500;
const MOST_SECONDS = 60;

/** How much of a version was heard. */
export interface Heard {
  readonly versionId: Id;
  /** A whole number from 1 to 60. */
  readonly seconds: number;
}

interface Counter {
  ms: number;
  /** When it was reported last, at first when it began. */
  since: number;
  wasReported: boolean;
}

/** Measures how long each version plays, and says what may be reported to the server. */
export class ListeningMeter {
  private readonly counters = new Map<Id, Counter>();
  private playing: Id | null = null;
  private countedUntil = 0;

  /** @param now milliseconds of a monotonic clock */
  constructor(private readonly now: () => number) {}

  /** Which version plays from now on; null for none. */
  hear(versionId: Id | null): void {
    if (versionId === this.playing) return;
    this.count();
    this.playing = versionId;
  }

  /**
   * Takes what may be reported now: each version at most every 30 s.
   * @param isLeaving report at once what was not reported yet, because the page may not come back
   */
  take(isLeaving = false): readonly Heard[] {
    this.count();
    return [...this.counters].flatMap(([versionId, counter]) => {
      const seconds = Math.min(MOST_SECONDS, Math.floor(counter.ms / 1_000));
      const isDue = this.now() - counter.since >= EVERY_MS || (isLeaving && !counter.wasReported);
      if (seconds === 0 || !isDue) return [];
      Object.assign(counter, { ms: counter.ms - seconds * 1_000, since: this.now(), wasReported: true });
      return [{ versionId, seconds }];
    });
  }

  private count(): void {
    const now = this.now();
    const elapsed = now - this.countedUntil;
    this.countedUntil = now;
    if (this.playing === null) return;
    const counter = this.counters.get(this.playing) ?? { ms: 0, since: now - elapsed, wasReported: false };
    counter.ms += elapsed;
    this.counters.set(this.playing, counter);
  }
}
