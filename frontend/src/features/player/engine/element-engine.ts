import { crossesEnd, endsTrack, isInside } from '../playback-maths';
import { ELEMENT_TEMPO_FLOOR, type Limitation, type PlayerMedia, type Track } from '../player-state';
import type { Span } from '../../../shared/wave/span';
import { ElementStream } from './element-stream';
import type { EngineHost, EngineState, PlaybackEngine, Sound } from './playback-engine';
import { directOutput, type StreamOutput } from './stream-output';

export interface ElementEngineOptions {
  readonly media: PlayerMedia;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** Plays with the media element alone: loops by seeking, switches by loading, no pitch. */
export class ElementEngine implements PlaybackEngine {
  private readonly media: PlayerMedia;
  private readonly stream: ElementStream;
  private track: Track | null = null;
  private playing = false;
  private position = 0;
  private loop: Span | null = null;
  private end: number | null = null;
  private sound: Sound = { volume: 1, muted: false };
  private gains: ReadonlyMap<string, number> = new Map();
  private frame = 0;

  constructor(
    { media, now = () => performance.now() }: ElementEngineOptions,
    private readonly host: EngineHost,
    private readonly output: StreamOutput = directOutput(media),
  ) {
    this.media = media;
    this.stream = new ElementStream(media, now, {
      onReady: () => host.report({}),
      onTime: () => this.syncPosition(),
      onWaiting: (isBuffering) => host.report({ isBuffering }),
      onEnded: () => this.onEnded(),
      onFailed: (error) => this.setStopped(error === null ? {} : { error }),
      onRefused: (error) => this.setStopped({ error }),
      onPaused: () => this.setStopped(),
      onResumed: () => this.track && this.play(this.track, media.currentTime),
    });
  }

  readonly limitationOf = (): Limitation => 'no-web-audio';
  readonly isReady = (track: Track) => this.stream.isLoaded(track);
  readonly prepare = (track: Track) => this.stream.load(track);

  readonly play = (track: Track, at: number) => {
    this.track = track;
    this.playing = true;
    this.position = at;
    this.applySound();
    this.output.start(track.versionId);
    this.stream.play(track, at);
    const { versionId } = track;
    this.host.report({ playing: true, position: at, hasEnded: false, playingVersionId: versionId, loadingVersionId: null, error: null });
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(this.tick);
  };

  readonly crossfadeTo = (track: Track) => this.play(track, Math.min(this.position, track.duration));

  readonly pause = () => this.stop(this.place());

  /** Stops without a report, because the mixer plays from here on. */
  readonly silence = () => {
    cancelAnimationFrame(this.frame);
    this.playing = false;
    this.stream.release();
  };

  /** Playhead of the stream in seconds. */
  readonly place = () => this.stream.time() ?? this.position;
  readonly isSounding = () => this.stream.isSounding();

  readonly seek = (at: number) => {
    this.stream.seek(at);
    this.position = at;
    this.host.report({ position: at });
  };

  readonly setLoop = (loop: Span | null) => {
    const isShortened = this.loop !== null && loop !== null && isInside(this.position, this.loop) && this.position >= loop.end;
    this.loop = loop;
    if (this.playing && isShortened) this.seek(loop.start);
  };
  readonly stopAt = (at: number | null) => void (this.end = at);
  readonly setTempo = (tempo: number) => {
    const rate = Math.max(tempo, ELEMENT_TEMPO_FLOOR);
    this.media.playbackRate = rate;
    // Loading resets playbackRate to the default.
    this.media.defaultPlaybackRate = rate;
  };
  readonly setPitch = () => undefined;
  readonly setMetering = () => undefined;
  readonly setTracks = () => undefined;

  readonly setSound = (sound: Sound) => {
    this.sound = sound;
    this.applySound();
  };
  readonly setGains = (gains: ReadonlyMap<string, number>) => {
    this.gains = gains;
    this.applySound();
  };

  readonly unload = (except: Track | null) => {
    if (except === null || !this.stream.isOf(except)) this.stream.release();
    if (this.playing) this.setStopped();
  };

  readonly forget = (track: Track) => this.stream.forget(track);

  readonly drop = (projectId?: string) => {
    if (projectId === undefined || this.stream.isOfProject(projectId)) this.unload(null);
  };

  private applySound() {
    this.output.setSound(this.sound, (this.track && this.gains.get(this.track.versionId)) ?? 1);
  }

  private stop(position: number) {
    this.setStopped({ position });
    this.output.stop(() => {
      if (!this.playing) this.stream.pause();
    });
  }

  private setStopped(changes: Partial<EngineState> = {}) {
    cancelAnimationFrame(this.frame);
    this.playing = false;
    this.end = null;
    this.host.report({ playing: false, isBuffering: false, ...changes });
  }

  private readonly tick = () => {
    this.syncPosition();
    if (this.playing) this.frame = requestAnimationFrame(this.tick);
  };

  private syncPosition() {
    const now = this.stream.time();
    if (now === null || !this.playing) return;
    const { loop, end, position } = this;
    if (loop && crossesEnd(position, now, loop)) return this.seek(loop.start);
    const isLooping = loop !== null && now < loop.end;
    if (end !== null && now >= end && !isLooping) return this.stop(end);
    if (now === position) return;
    this.position = now;
    this.host.report({ position: now });
  }

  private onEnded() {
    const { loop, track } = this;
    if (!track) return;
    if (loop && endsTrack(loop, track.duration)) this.play(track, loop.start);
    else this.setStopped({ position: track.duration });
  }
}
