import type { PlayerMedia } from '../player-state';
import type { AudioGraph } from './audio-graph';
import type { MixerReport } from './mixer-messages';
import type { Sound } from './playback-engine';

/** Longer than the mixer's fade-out and its report. */
export const FADE_OUT_MS = 60;

/** Output of the media element. */
export interface StreamOutput {
  /** @param gain loudness match, linear */
  readonly setSound: (sound: Sound, gain: number) => void;
  readonly start: (trackId: string) => void;
  /** Fades out, then calls `onSilent`. */
  readonly stop: (onSilent: () => void) => void;
}

/** Directly to the speakers, without fades. */
export const directOutput = (media: PlayerMedia): StreamOutput => ({
  setSound: ({ volume, muted }, gain) => {
    media.volume = volume * gain;
    media.muted = muted;
  },
  start: () => undefined,
  stop: (onSilent) => onSilent(),
});

/** Through the audio graph: bypasses the mixer until that is loaded. */
export class GraphOutput implements StreamOutput {
  private onSilent: (() => void) | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly graph: AudioGraph,
    private readonly hasMixer: () => boolean,
  ) {}

  readonly setSound = (sound: Sound, gain: number) => {
    this.graph.setSound(sound);
    this.graph.setDirectGain(gain);
  };

  readonly start = (trackId: string) => {
    this.finish();
    this.graph.post({ type: 'startStream', trackId });
  };

  readonly stop = (onSilent: () => void) => {
    this.finish();
    if (!this.hasMixer()) return onSilent();
    this.onSilent = onSilent;
    this.timer = setTimeout(this.finish, FADE_OUT_MS);
    this.graph.post({ type: 'stop' });
  };

  readonly onReport = ({ type }: MixerReport) => {
    if (type === 'stopped') this.finish();
  };

  private readonly finish = () => {
    clearTimeout(this.timer);
    this.onSilent?.();
    this.onSilent = null;
  };
}
