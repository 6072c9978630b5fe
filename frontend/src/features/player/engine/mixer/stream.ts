import { Stretcher, type StretchInput } from './stretcher';

/** Frames of the mixer's input that are kept. The extreme pitch 0.05 needs one second. */
const KEPT = 131_072;
const MASK = KEPT - 1;
/** Margin for the stretcher, because input arrives in whole quanta. */
const SLACK_FRAMES = 256;

/** The latest frames of the mixer's input. */
export class StreamHistory {
  readonly left = new Float32Array(KEPT);
  readonly right = new Float32Array(KEPT);
  /** Frames so far, which is also the number of the next frame. */
  written = 0;

  push([left, right = left]: readonly Float32Array[], count: number): void {
    for (let at = 0; at < count; at++) {
      this.left[this.written & MASK] = left?.[at] ?? 0;
      this.right[this.written & MASK] = right?.[at] ?? 0;
      this.written += 1;
    }
  }

  copy(left: Float32Array, right: Float32Array, { from, count }: { readonly from: number; readonly count: number }): void {
    for (let at = 0; at < count; at++) {
      left[at] = this.left[(from + at) & MASK] ?? 0;
      right[at] = this.right[(from + at) & MASK] ?? 0;
    }
  }
}

class StreamInput implements StretchInput {
  fed = 0;

  constructor(
    private readonly history: StreamHistory,
    readonly start: number,
  ) {}

  available(): number {
    return this.history.written - this.start - this.fed;
  }

  read(left: Float32Array, right: Float32Array, count: number): void {
    this.history.copy(left, right, { from: this.start + this.fed, count });
    this.fed += count;
  }
}

/** The mixer's input, unchanged or at another pitch. The media element sets its tempo. */
export class StreamVoice {
  private readonly stretcher: Stretcher | null;
  private readonly input: StreamInput;

  constructor(
    private readonly history: StreamHistory,
    { sampleRate, pitch }: { readonly sampleRate: number; readonly pitch: number },
  ) {
    this.stretcher = pitch === 1 ? null : new Stretcher(sampleRate, { tempo: 1, pitch });
    this.input = new StreamInput(history, history.written - (this.stretcher ? this.stretcher.needs() + SLACK_FRAMES : 0));
    this.stretcher?.start(this.input);
  }

  /** Frames between the input and what is audible. */
  delay(): number {
    return this.stretcher ? this.history.written - this.input.start - this.stretcher.playhead() : 0;
  }

  /** False if the change needs a new voice. */
  setPitch(pitch: number): boolean {
    if (pitch !== 1) this.stretcher?.setTempoAndPitch({ tempo: 1, pitch });
    return (pitch === 1) === (this.stretcher === null);
  }

  /** The frames that the history got last. */
  write(left: Float32Array, right: Float32Array, count: number): void {
    if (!this.stretcher) this.history.copy(left, right, { from: this.history.written - count, count });
    else if (!this.stretcher.write(left, right, count)) {
      left.fill(0, 0, count);
      right.fill(0, 0, count);
    }
  }
}
