import type { Track } from '../player-state';
import type { Span } from '../../../shared/wave/span';
import type { AudioGraph } from './audio-graph';
import type { MixerReport, MixerState } from './mixer-messages';
import type { EngineHost } from './playback-engine';

/** A playhead position that was requested from the mixer and is not reported yet. */
interface Requested {
  readonly at: number;
  readonly contextTime: number;
}

/** Plays decoded audio in the mixer, and computes the audible playhead position from its reports. */
export class BufferVoice {
  private track: Track | null = null;
  private loop: Span | null = null;
  private state: MixerState | null = null;
  private requested: Requested | null = null;
  private playing = false;
  private frame = 0;

  constructor(
    private readonly graph: AudioGraph,
    private readonly host: EngineHost,
  ) {}

  readonly play = (track: Track, at: number) => {
    this.request(at);
    this.graph.post({ type: 'start', trackId: track.versionId, at });
    this.begin(track);
    this.host.report({
      playing: true,
      isBuffering: false,
      position: at,
      playingVersionId: track.versionId,
      loadingVersionId: null,
      hasEnded: false,
      error: null,
    });
  };

  /** The mixer already plays the track. */
  readonly takeOver = (track: Track, at: number) => {
    this.request(at);
    this.begin(track);
    this.host.report({ isBuffering: false, position: at });
  };

  readonly crossfadeTo = (track: Track) => {
    this.graph.post({ type: 'crossfade', trackId: track.versionId });
    this.track = track;
    this.host.report({ playingVersionId: track.versionId, loadingVersionId: null, error: null });
  };

  readonly pause = () => {
    this.graph.post({ type: 'stop' });
    this.end();
    this.host.report({ playing: false, position: this.position() });
  };

  /** Stops without a report, because the stream plays from here on. */
  readonly end = () => {
    cancelAnimationFrame(this.frame);
    this.playing = false;
  };

  readonly seek = (at: number) => {
    this.request(at);
    this.graph.post({ type: 'seek', at });
    this.host.report({ position: at, hasEnded: false });
  };

  readonly setLoop = (loop: Span | null) => void (this.loop = loop);

  /** The audible playhead in seconds. */
  readonly position = (): number => {
    if (this.requested) return this.requested.at;
    const { state, loop } = this;
    if (!state) return 0;
    const elapsed = this.graph.now() - this.graph.latency() - state.contextTime;
    const at = Math.max(0, state.position + elapsed * state.rate);
    // The playhead has wrapped since the last report.
    return loop && state.position < loop.end && at >= loop.end && state.rate > 0 ? loop.start + ((at - loop.end) % (loop.end - loop.start)) : at;
  };

  readonly onReport = (report: MixerReport) => {
    if (!this.playing) return;
    if (report.type === 'state') this.onState(report);
    if (report.type === 'stopped' && report.reason !== 'stop' && !this.isStale(report.contextTime)) {
      this.end();
      const atEnd = report.reason === 'end' ? this.track?.duration : undefined;
      this.host.report({ playing: false, position: atEnd ?? report.position });
    }
  };

  private onState(state: MixerState) {
    if (this.isStale(state.contextTime)) return;
    this.requested = null;
    this.state = state;
    const isOfTrack = state.trackId === this.track?.versionId;
    this.host.report({ position: this.position(), ...(isOfTrack && { hasEnded: state.hasEnded }) });
  }

  /** Sent before the mixer received the last command. */
  private isStale(contextTime: number): boolean {
    return this.requested !== null && contextTime <= this.requested.contextTime;
  }

  private request(at: number) {
    this.requested = { at, contextTime: this.graph.now() };
  }

  private begin(track: Track) {
    this.track = track;
    this.playing = true;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(this.tick);
  }

  private readonly tick = () => {
    if (!this.playing) return;
    if (!this.requested && this.state && this.state.rate > 0) this.host.report({ position: this.position() });
    this.frame = requestAnimationFrame(this.tick);
  };
}
