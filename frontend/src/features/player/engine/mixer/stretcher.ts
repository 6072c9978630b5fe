import { REACH, Resampler } from './resampler';
import { Sequencer } from './sequencer';

/** Where a stretcher gets its input. */
export interface StretchInput {
  /** Frames that can be read now. */
  available(): number;
  /** Frames read so far. */
  readonly fed: number;
  read(left: Float32Array, right: Float32Array, count: number): void;
}

/** How a stretcher begins, in frames. */
interface StretchStart {
  /** The first sequence's content, counted from the start of the input. */
  readonly content: number;
  /** Input to skip after the first sequence, in addition to what the tempo skips. */
  readonly skip: number;
  /** Frames of the first sequence that are in the past. */
  readonly used: number;
  readonly phase: number;
}

export interface TempoAndPitch {
  readonly tempo: number;
  readonly pitch: number;
}

const PIECE = 2048;
const NOTHING: StretchInput = { available: () => 0, fed: 0, read: () => undefined };

/**
 * Tempo by SoundTouch, then pitch by resampling. The order is fixed: SoundTouch's own pipe changes it at pitch 1, which clicks.
 * It reads ahead of its output, so it also tracks which input frame is audible.
 */
export class Stretcher {
  private readonly sequencer: Sequencer;
  private readonly resampler = new Resampler();
  private readonly left = new Float32Array(PIECE);
  private readonly right = new Float32Array(PIECE);
  private readonly pairs = new Float32Array(2 * PIECE);
  /** The current sequence: the number of the input frame where the tempo puts its start, and of the frame where its content was found. */
  private base = 0;
  private contentAt = 0;
  private tempo = 1;
  private lead = 0;
  private length = 0;
  private used = 0;

  private input: StretchInput = NOTHING;

  constructor(sampleRate: number, { tempo, pitch }: TempoAndPitch) {
    this.sequencer = new Sequencer(sampleRate);
    this.setTempoAndPitch({ tempo, pitch });
  }

  /** May be called while playing: pitch changes at once, tempo with the next sequence. */
  setTempoAndPitch({ tempo, pitch }: TempoAndPitch): void {
    this.resampler.rate = pitch;
    this.sequencer.changeTempo(tempo / pitch);
  }

  /** Input before the first audible frame that `start` needs. */
  preroll(): number {
    return REACH + Math.max(0, this.sequencer.lead());
  }

  /** Input that must be available to start and to go on. */
  needs(): number {
    return this.sequencer.sampleReq + REACH + Math.abs(this.sequencer.lead());
  }

  /** The first audible frame is number `preroll()` of the input. */
  start(input: StretchInput): void {
    this.input = input;
    const lead = this.sequencer.lead();
    this.begin({ content: Math.max(0, lead), skip: Math.max(0, -lead), used: 0, phase: 0 });
  }

  /** Number of the frame of `other`'s input from which a stretcher must read to `follow` it. */
  static followFrom({ base, contentAt }: Stretcher): number {
    return Math.min(base, contentAt);
  }

  /** Continues at the same place of the same sequence as another stretcher, so that both can be crossfaded. */
  follow(other: Stretcher, input: StretchInput): void {
    this.input = input;
    const from = Stretcher.followFrom(other);
    this.begin({ content: other.contentAt - from, skip: other.base - from, used: other.used - 2 * REACH - 1, phase: other.resampler.phase });
  }

  /** Number of the input frame at the playhead, which moves evenly at the tempo while sequences jump. */
  playhead(): number {
    return this.base + this.lead + this.place() * this.tempo;
  }

  /** Number of the audible input frame. */
  audible(): number {
    return this.contentAt + this.place();
  }

  /** False if the input has too few frames: then nothing is written. */
  write(left: Float32Array, right: Float32Array, count: number): boolean {
    for (let at = 0; at < count; at++) {
      while (this.resampler.phase >= 1) {
        if (!this.pushNext()) return false;
        this.resampler.phase -= 1;
      }
      this.resampler.write(left, right, at);
    }
    return true;
  }

  /** The kernel's centre in the current sequence. */
  private place(): number {
    return this.used - 1 - REACH + this.resampler.phase;
  }

  private begin({ content, skip, used, phase }: StretchStart): void {
    this.sequencer.clear();
    this.resampler.clear();
    this.feed(this.sequencer.sampleReq + content + skip);
    this.sequencer.startAt(content, skip);
    this.nextSequence();
    this.base += skip;
    this.used = Math.min(this.length, Math.max(0, used));
    for (let at = 0; at <= 2 * REACH; at++) this.pushNext();
    this.resampler.phase = phase;
  }

  private pushNext(): boolean {
    if (this.used >= this.length && !this.nextSequence()) return false;
    const { vector, startIndex } = this.sequencer.outputBuffer;
    const at = startIndex + 2 * this.used;
    this.resampler.push(vector[at] ?? 0, vector[at + 1] ?? 0);
    this.used += 1;
    return true;
  }

  private nextSequence(): boolean {
    const { sequencer } = this;
    const missing = sequencer.sampleReq - sequencer.inputBuffer.frameCount;
    if (missing > this.input.available()) return false;
    this.feed(missing);
    this.base = this.input.fed - sequencer.inputBuffer.frameCount;
    this.tempo = sequencer.tempo;
    this.lead = sequencer.lead();
    sequencer.nextSequence();
    this.contentAt = this.base + sequencer.offset;
    this.length = sequencer.outputBuffer.frameCount;
    this.used = 0;
    return true;
  }

  private feed(count: number): void {
    for (let left = count; left > 0; left -= PIECE) {
      const piece = Math.min(PIECE, left);
      this.input.read(this.left, this.right, piece);
      for (let at = 0; at < piece; at++) {
        this.pairs[2 * at] = this.left[at] ?? 0;
        this.pairs[2 * at + 1] = this.right[at] ?? 0;
      }
      this.sequencer.inputBuffer.putSamples(this.pairs, 0, piece);
    }
  }
}
