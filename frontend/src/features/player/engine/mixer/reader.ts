import type { TrackAudio } from './track-audio';

/** In frames of source time, which may be fractions. */
export interface Loop {
  readonly start: number;
  readonly end: number;
}

/** Where a reader begins. */
export interface ReadFrom {
  readonly head: number;
  readonly loop: Loop | null;
  /** False after a seek beyond the loop's end: playback then continues without looping. */
  readonly isLooping: boolean;
  readonly turns: number;
}

/** Frames of remembered jumps. A stretcher reads ahead by 0.2 s at most, so only loops shorter than 10 ms could need more. */
const JUMPS = 32;
const SEAM_SECONDS = 0.005;

/**
 * Reads one track in source time and wraps at the loop's end. The head keeps its fraction of a frame, so repeats do not drift.
 * Each seam is a linear crossfade between the audio after the loop's end and the loop's start, which cannot exceed either.
 */
export class Reader {
  head: number;
  isLooping: boolean;
  turns: number;
  /** Frames read so far. */
  fed = 0;
  private loop: Loop | null;
  private seamLeft = 0;
  private seamLength = 1;
  private seamFrom = 0;
  private readonly jumpedAt = new Float64Array(JUMPS);
  private readonly jumpedTo = new Float64Array(JUMPS);
  private readonly turnsAt = new Float64Array(JUMPS);
  private jumps = 0;
  private readonly longestSeam: number;

  constructor(
    readonly audio: TrackAudio,
    sampleRate: number,
    { head, loop, isLooping, turns }: ReadFrom,
  ) {
    this.longestSeam = Math.round(SEAM_SECONDS * sampleRate);
    this.head = head;
    this.loop = loop;
    this.isLooping = isLooping;
    this.turns = turns;
    this.remember();
  }

  setLoop(loop: Loop | null): void {
    if (!this.loop || !loop) this.turns = 0;
    // A playhead inside the old loop stays in the loop when its end moves before the playhead.
    this.isLooping = loop !== null && (this.head < loop.end || (this.loop !== null && this.isLooping));
    this.loop = loop;
  }

  /** All of it can be read at once. */
  available(): number {
    return Infinity;
  }

  /** The source frame of the frame that was read as number `fed`. */
  sourceAt(fed: number): number {
    const jump = this.jumpBefore(fed);
    return (this.jumpedTo[jump] ?? 0) + fed - (this.jumpedAt[jump] ?? 0);
  }

  /** State for another reader that continues after the frame read as number `fed`. */
  placeAt(fed: number): ReadFrom {
    return { head: this.sourceAt(fed), loop: this.loop, isLooping: this.isLooping, turns: this.turnsAt[this.jumpBefore(fed)] ?? 0 };
  }

  private jumpBefore(fed: number): number {
    let jump = this.jumps - 1;
    const oldest = Math.max(0, this.jumps - JUMPS);
    while (jump > oldest && (this.jumpedAt[jump % JUMPS] ?? 0) > fed) jump -= 1;
    return jump % JUMPS;
  }

  read(left: Float32Array, right: Float32Array, count: number): void {
    for (let at = 0; at < count;) {
      if (this.isLooping && this.loop && this.head >= this.loop.end) this.wrap(this.loop);
      const untilEnd = this.isLooping && this.loop ? Math.ceil(this.loop.end - this.head) : count;
      const run = Math.min(count - at, untilEnd, this.seamLeft || count);
      if (this.seamLeft > 0) this.readSeam(left, right, at, run);
      else this.copy(left, right, at, run);
      this.head += run;
      this.fed += run;
      at += run;
    }
  }

  private wrap({ start, end }: Loop): void {
    this.seamFrom = Math.round(this.head);
    const turns = Math.floor((this.head - start) / (end - start));
    this.head -= turns * (end - start);
    this.turns += turns;
    this.seamLength = Math.max(1, Math.min(this.longestSeam, Math.floor((end - start) / 2)));
    this.seamLeft = this.seamLength;
    this.remember();
  }

  private remember(): void {
    this.jumpedAt[this.jumps % JUMPS] = this.fed;
    this.jumpedTo[this.jumps % JUMPS] = this.head;
    this.turnsAt[this.jumps % JUMPS] = this.turns;
    this.jumps += 1;
  }

  private copy(left: Float32Array, right: Float32Array, at: number, run: number): void {
    const from = Math.round(this.head);
    const { audio } = this;
    for (let k = 0; k < run; k++) {
      left[at + k] = audio.left[from + k] ?? 0;
      right[at + k] = audio.right[from + k] ?? 0;
    }
  }

  private readSeam(left: Float32Array, right: Float32Array, at: number, run: number): void {
    const from = Math.round(this.head);
    const { audio } = this;
    for (let k = 0; k < run; k++) {
      const done = this.seamLength - this.seamLeft;
      const t = (done + 1) / (this.seamLength + 1);
      const tail = this.tail(done);
      left[at + k] = (1 - t) * (audio.left[tail] ?? 0) + t * (audio.left[from + k] ?? 0);
      right[at + k] = (1 - t) * (audio.right[tail] ?? 0) + t * (audio.right[from + k] ?? 0);
      this.seamLeft -= 1;
    }
  }

  /** A loop that ends with the file has no audio after its end: mirror its last frames, which continue without a jump. */
  private tail(done: number): number {
    const { frames } = this.audio;
    const at = this.seamFrom + done;
    return at >= frames && this.seamFrom <= frames ? 2 * frames - 1 - at : at;
  }
}
