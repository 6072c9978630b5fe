import { Stretch } from 'soundtouchjs';

/**
 * Long sequences sound smoother, short ones repeat and drop fewer attacks. The port's 90 ms to 120 ms play attacks twice at half the tempo; with 45 ms, chords
 * of steady tones still keep their level.
 */
const SEQUENCE_MS = 45;
const OVERLAP_MS = 8;
/** A period of the lowest notes must fit. */
const SEEK_MS = 20;

const COARSE = 4;

/** SoundTouch's time stretcher, one sequence at a time. */
export class Sequencer extends Stretch {
  /** Where the current sequence was found, in frames after the start of its input. */
  offset = 0;
  private exactOffset: number | null = null;

  constructor(sampleRate: number) {
    super(true);
    this.setParameters(sampleRate, SEQUENCE_MS, SEEK_MS, OVERLAP_MS);
  }

  /** Restarts the fraction that the tempo leaves over, so only when it changes. */
  changeTempo(tempo: number): void {
    if (tempo !== this.tempo) this.tempo = tempo;
  }

  /**
   * Frames from the start of a sequence's input to the playhead at its start. The content moves at the original tempo from an offset of half the seek
   * length on average, the playhead at the tempo: with this lead they differ by 0 on average.
   */
  lead(): number {
    const length = this.seekWindowLength - this.overlapLength;
    return Math.round((this.seekLength + (1 - this.tempo) * length) / 2);
  }

  /** Makes the first sequence the unchanged input from `content` on, by overlapping it with itself, and skips more input after it. */
  startAt(content: number, skip: number): void {
    const { vector, startIndex } = this.inputBuffer;
    const from = startIndex + 2 * content;
    this.midBuffer = vector.slice(from, from + 2 * this.overlapLength);
    this.exactOffset = content;
    this.skipFract = skip;
  }

  /** Replaces the output by one sequence. `process` would make as many as the input allows. */
  nextSequence(): void {
    const needed = this.sampleReq;
    this.sampleReq = this.inputBuffer.frameCount;
    this.outputBuffer.receive();
    this.process();
    this.sampleReq = needed;
  }

  override seekBestOverlapPosition(): number {
    this.offset = this.exactOffset ?? this.bestOffset();
    this.exactOffset = null;
    return this.offset;
  }

  /**
   * Where the input resembles the end of the last sequence most, by normalised correlation: first every 4th place, then those around the best one.
   * The port's own search is not normalised, so it prefers loud places to similar ones, and never tries the natural continuation.
   */
  private bestOffset(): number {
    // Tempo and pitch are changed alike, as on tape: the natural continuation is at the same offset.
    if (this.tempo === 1) return this.offset;
    const coarse = this.bestOf(0, this.seekLength, COARSE);
    return this.bestOf(Math.max(0, coarse - COARSE + 1), Math.min(this.seekLength, coarse + COARSE), 1);
  }

  private bestOf(from: number, to: number, step: number): number {
    let best = from;
    let bestScore = -Infinity;
    for (let offset = from; offset < to; offset += step) {
      // As in SoundTouch 2.3: slightly prefer the middle, so that the rhythm is steadier.
      const fromMiddle = (2 * offset - this.seekLength) / this.seekLength;
      const score = (this.similarity(offset, step) + 0.1) * (1 - 0.25 * fromMiddle * fromMiddle);
      if (score <= bestScore) continue;
      best = offset;
      bestScore = score;
    }
    return best;
  }

  /** Normalised correlation, -1 to 1, of every `step`th frame. */
  private similarity(offset: number, step: number): number {
    const { vector, startIndex } = this.inputBuffer;
    const end = this.midBuffer ?? vector;
    const from = startIndex + 2 * offset;
    let both = 0;
    let power = 0;
    let endPower = 0;
    for (let at = 0; at < 2 * this.overlapLength; at += 2 * step) {
      const left = vector[from + at] ?? 0;
      const right = vector[from + at + 1] ?? 0;
      const endLeft = end[at] ?? 0;
      const endRight = end[at + 1] ?? 0;
      both += left * endLeft + right * endRight;
      power += left * left + right * right;
      endPower += endLeft * endLeft + endRight * endRight;
    }
    return both / Math.sqrt(power * endPower + 1e-12);
  }
}
