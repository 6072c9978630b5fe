import { setTimeout as pause } from 'node:timers/promises';

/** So long after another process wrote on a stream, this one gives way there. */
const REMEMBERED_MS = 2_000;
/** A pause is at most so many times what an attempt takes. */
const LONGEST = { turn: 3, again: 1 };
/** And never longer than so many milliseconds: somebody waits for an answer. */
const MOST_MS = 150;
/** Who loses longer does not wait longer for others afterwards: they are no more, only faster. */
const MOST_LOSSES = 5;
/** How much of what was seen counts after each command that got through. */
const FORGOTTEN = 0.95;
/** More streams than this are not told apart: all begin anew. */
const MOST = 1_000;

interface Contended {
  until: number;
  /** About the most attempts that a command lost here lately: with more others it takes longer until each had its turn. */
  losses: number;
  /** Of the last append there, milliseconds of a clock that never goes back. */
  appendedAt: number;
  /** What attempts took lately, in milliseconds. */
  took: number;
}

/** Where moments and pauses come from. */
export interface Chance {
  /** From 0 to 1. */
  random(): number;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  pause(milliseconds: number): Promise<unknown>;
}

const REAL: Chance = { random: () => Math.random(), now: () => performance.now(), pause: (milliseconds) => pause(milliseconds) };

/**
 * Streams that other processes write at the same time. Who has just written there waits a moment before its next command, so that the others, whose decision
 * came to nothing, are the next ones: else the same command would lose again and again.
 */
export class Contention {
  private readonly streams = new Map<string, Contended>();

  constructor(private readonly chance: Chance = REAL) {}

  /** Before a command's first attempt. */
  async giveWay(stream: string): Promise<void> {
    const contended = this.streams.get(stream);
    if (contended === undefined) return;
    if (contended.until < this.chance.now()) this.streams.delete(stream);
    else await this.until(contended.appendedAt + Math.min(MOST_MS, LONGEST.turn * contended.losses * contended.took) * (0.5 + this.chance.random() / 2));
  }

  /** Others were seen to write there. */
  seen(stream: string): void {
    if (this.streams.size >= MOST) this.streams.clear();
    const contended = this.streams.get(stream) ?? { until: 0, losses: 1, appendedAt: -Infinity, took: 0 };
    this.streams.set(stream, Object.assign(contended, { until: this.chance.now() + REMEMBERED_MS }));
  }

  /** Somebody else was faster, and may give way now. From the second time on it ends after a random moment: else one would come at the same wrong time again. */
  async lost(stream: string, attempts: number, took: number): Promise<void> {
    this.seen(stream);
    const contended = this.streams.get(stream);
    if (contended !== undefined)
      Object.assign(contended, { losses: Math.max(contended.losses, Math.min(attempts, MOST_LOSSES)), took: smoothed(contended.took, took) });
    if (attempts > 1) await this.until(this.chance.now() + Math.min(MOST_MS, LONGEST.again * took) * this.chance.random());
  }

  won(stream: string, took: number): void {
    const contended = this.streams.get(stream);
    if (contended === undefined) return;
    const losses = Math.max(1, contended.losses * FORGOTTEN);
    Object.assign(contended, { appendedAt: this.chance.now(), losses, took: smoothed(contended.took, took) });
  }

  private async until(instant: number): Promise<void> {
    const left = instant - this.chance.now();
    if (left > 0) await this.chance.pause(left);
  }
}

const smoothed = (before: number, now: number): number => (before === 0 ? now : (3 * before + now) / 4);
