import type { StreamPlace } from '../mixer-messages';
import { Alignment } from './alignment';
import type { StreamHistory } from './stream';
import type { TrackAudio } from './track-audio';

/** The boundary of two quanta: the number of the next input frame, and its context time in seconds. */
export interface Moment {
  readonly inputFrame: number;
  readonly contextTime: number;
}

/** In frames of source time. `offset` is the distance from the estimate. */
export type HandOverResult = { readonly at: number; readonly offset: number; readonly isExact: boolean } | 'noMatch';

export interface HandOverOptions {
  readonly estimate: StreamPlace;
  readonly align: boolean;
  readonly sampleRate: number;
}

/** Finds the position at which the decoded audio can replace the stream. */
export class HandOver {
  private readonly alignment: Alignment | null;

  constructor(
    readonly audio: TrackAudio,
    private readonly history: StreamHistory,
    now: Moment,
    private readonly options: HandOverOptions,
  ) {
    const origin = this.estimated(now, 1) - now.inputFrame;
    this.alignment = options.align ? new Alignment(history, audio, origin, options.sampleRate) : null;
  }

  /** Call once per quantum. Null until the position is known, which takes about 0.3 s. */
  step(now: Moment, tempo: number): HandOverResult | null {
    const found = this.alignment?.step() ?? (this.alignment ? null : { kind: 'silent' as const });
    if (!found) return null;
    const estimated = this.estimated(now, tempo);
    if (found.kind === 'silent') return { at: estimated, offset: 0, isExact: false };
    if (found.kind === 'noMatch' || !this.alignment?.isStillRight(this.history, found.origin)) return 'noMatch';
    const at = found.origin + now.inputFrame;
    return { at, offset: at - estimated, isExact: true };
  }

  private estimated(now: Moment, tempo: number): number {
    const { estimate, sampleRate } = this.options;
    return (estimate.at + (now.contextTime - estimate.contextTime) * tempo) * sampleRate;
  }
}
