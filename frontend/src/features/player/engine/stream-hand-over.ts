import type { Track } from '../player-state';
import type { AudioGraph } from './audio-graph';
import type { MixerReport } from './mixer-messages';

/** Between attempts: the mixer needs 100 ms of new audio from the stream. */
const RETRY_MS = 300;
const ATTEMPTS = 6;
/** Poll interval and timeout while waiting for the stream to start. */
const POLL_MS = 50;
const SILENT_MS = 2_000;

interface StreamPlace {
  readonly at: number;
  readonly isSounding: boolean;
  /** True at the original tempo: only then can it be found in the decoded audio. */
  readonly isOriginal: boolean;
}

export interface HandOverOptions {
  readonly graph: AudioGraph;
  readonly stream: () => StreamPlace;
  readonly onTookOver: (track: Track, at: number) => void;
  /** The stream did not start, or its audio was not found near the media element's `currentTime`. */
  readonly onGivenUp: (track: Track) => void;
}

/** Moves playback from the stream to the same version's decoded audio. */
export class StreamHandOver {
  private track: Track | null = null;
  private attempts = 0;
  private silentMs = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: HandOverOptions) {}

  readonly start = (track: Track) => {
    this.cancel();
    this.track = track;
    this.attempts = 0;
    this.silentMs = 0;
    this.attempt();
  };

  readonly cancel = () => {
    clearTimeout(this.timer);
    this.track = null;
  };

  readonly onReport = (report: MixerReport) => {
    const { track } = this;
    if (!track) return;
    if (report.type === 'tookOver' && report.trackId === track.versionId) {
      this.cancel();
      this.options.onTookOver(track, report.position);
    } else if (report.type === 'takeOverFailed' && report.trackId === track.versionId) {
      if (this.attempts < ATTEMPTS) this.timer = setTimeout(this.attempt, RETRY_MS);
      else this.giveUp(track);
    }
  };

  private giveUp(track: Track) {
    this.cancel();
    this.options.onGivenUp(track);
  }

  private readonly attempt = () => {
    const { track, options } = this;
    if (!track) return;
    const { at, isSounding, isOriginal } = options.stream();
    if (isSounding) {
      this.attempts += 1;
      options.graph.post({ type: 'takeOver', trackId: track.versionId, estimate: { at, contextTime: options.graph.now() }, align: isOriginal });
    } else if (this.silentMs < SILENT_MS) {
      this.silentMs += POLL_MS;
      this.timer = setTimeout(this.attempt, POLL_MS);
    } else this.giveUp(track);
  };
}
