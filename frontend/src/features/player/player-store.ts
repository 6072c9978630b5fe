import { ElementEngine } from './engine/element-engine';
import { LazyEngine } from './engine/lazy-engine';
import type { CreateEngine, EngineHost, EngineState, PlaybackEngine } from './engine/playback-engine';
import { isReplaced, sameTrack } from './engine/same-track';
import { matchingGainDb } from '../../shared/project/loudness-match';
import { createMatchChoices, type MatchChoices, toLinearGain } from './match-choices';
import { MeterListeners } from './meter-listeners';
import { BLOCKED, CANNOT_PLAY, failureMessage } from './playback-error';
import { clamp, isInside, placeIn } from './playback-maths';
import { type AppPlayer, INITIAL_STATE, type Limits, limitsOf, type LoadOptions, type PlayerMedia, type PlayerState, type Track } from './player-state';
import { readVolume, writeVolume, type VolumeStorage } from './stored-volume';
import type { Span } from '../../shared/wave/span';

/** Play starts over when the playhead is this close to the end. */
const AT_THE_END_SECONDS = 0.05;

export interface PlayerOptions {
  readonly media: PlayerMedia;
  readonly storage?: VolumeStorage | undefined;
  /** Loads the Web Audio engine; null where it is not supported. */
  readonly loadEngine?: (() => Promise<CreateEngine>) | null;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

class Player implements AppPlayer {
  private readonly listeners = new Set<() => void>();
  private readonly engine: PlaybackEngine;
  private readonly media: PlayerMedia;
  private readonly storage: VolumeStorage | undefined;
  private readonly matchChoices: MatchChoices;
  private readonly meters = new MeterListeners((isOn) => this.engine.setMetering(isOn));
  private track: Track | null = null;
  private tracks: readonly Track[] = [];
  private state: PlayerState;

  constructor({ media, storage, loadEngine = null, now }: PlayerOptions) {
    const stored = readVolume(storage);
    this.media = media;
    this.storage = storage;
    this.state = { ...INITIAL_STATE, ...stored };
    this.matchChoices = createMatchChoices(storage);
    const host: EngineHost = {
      report: (changes) => this.onReport(changes),
      onMeter: (meter) => this.meters.publish(meter),
      onRefused: ({ versionId, projectId }) => {
        if (versionId !== this.track?.versionId) return;
        this.engine.drop(projectId);
        this.onReport({ playing: false, error: CANNOT_PLAY });
      },
    };
    const createElementEngine: CreateEngine = (to) => new ElementEngine({ media, ...(now && { now }) }, to);
    this.engine = loadEngine ? new LazyEngine(loadEngine, createElementEngine, host) : createElementEngine(host);
    this.engine.setSound(stored);
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  readonly getSnapshot = () => this.state;

  readonly load = (next: Track | null, { at = null }: LoadOptions = {}) => {
    if (next !== null && sameTrack(this.track, next)) return this.reload(next, at);
    const { playing, projectId, position } = this.state;
    const continues = next !== null && next.projectId === projectId;
    const duration = next?.duration ?? 0;
    this.track = next;
    if (!continues) this.openProject(next?.projectId ?? null);
    const place = placeIn(duration, at ?? (continues ? position : 0), at === null);
    this.set({ versionId: next?.versionId ?? null, duration, error: null, ...place });
    this.applyGains();
    this.stopAt(null);
    if (!playing || !continues) {
      this.engine.unload(next);
      // The engine has reported the stop position of the previous track.
      this.onReport({ playing: false, ...place });
    } else if (at === null) this.engine.crossfadeTo(next);
    else this.engine.play(next, this.state.position);
  };

  readonly setTracks = (tracks: readonly Track[]) => {
    for (const track of tracks) if (this.tracks.some((known) => isReplaced(known, track))) this.engine.forget(track);
    this.tracks = tracks;
    this.engine.setTracks(tracks);
    this.applyGains();
  };

  readonly warmUp = () => this.engine.warmUp?.();
  readonly prepare = () => {
    if (this.track) this.engine.prepare(this.track);
  };
  readonly prepareTrack = (track: Track) => {
    if (!this.state.playing) this.engine.prepare(track);
  };

  readonly release = (projectId?: string) => {
    if (projectId === undefined || projectId === this.state.projectId) this.load(null);
    this.engine.drop(projectId);
  };

  readonly play = () => {
    const { loop, position, duration } = this.state;
    const isOutside = loop !== null && !isInside(position, loop);
    this.start(isOutside ? loop.start : position >= duration - AT_THE_END_SECONDS ? 0 : position);
  };
  readonly pause = () => {
    if (this.state.playing) this.engine.pause();
  };
  readonly loseOutput = () => {
    if (!this.state.playing) return;
    this.pause();
    this.set({ isOutputLost: true });
  };
  readonly toggle = () => (this.state.playing ? this.pause() : this.play());

  readonly playSpan = ({ start, end }: Span) => {
    this.start(clamp(start, this.state.duration));
    this.stopAt(end);
  };

  readonly seek = (seconds: number) => {
    this.stopAt(null);
    this.moveTo(seconds);
  };
  readonly rewind = () => this.seek(0);
  readonly nudge = (seconds: number) => this.seek(this.state.position + seconds);

  readonly setVolume = (volume: number) => this.setSound({ volume: clamp(volume, 1), muted: false });
  readonly setMuted = (muted: boolean) => this.setSound({ muted });

  readonly setTempo = (tempo: number) => {
    this.engine.setTempo(tempo);
    this.set({ tempo });
  };
  readonly setPitch = (pitch: number) => {
    this.engine.setPitch(pitch);
    this.set({ pitch });
  };

  readonly isMatchedIn = (projectId: string) => this.matchChoices.get(projectId);
  readonly setMatched = (isMatched: boolean) => {
    const { projectId } = this.state;
    if (projectId !== null) this.setMatchedIn(projectId, isMatched);
  };
  readonly setMatchedIn = (projectId: string, isMatched: boolean) => {
    this.matchChoices.set(projectId, isMatched);
    this.applyGains();
  };

  readonly setLoop = (loop: Span | null) => {
    const { loop: before, position, playing } = this.state;
    this.engine.setLoop(loop);
    this.set({ loop });
    // When the loop's end moves before the playhead, the engine wraps the playhead in time.
    const isShortened = before !== null && loop !== null && isInside(position, before) && position >= loop.end;
    if (loop && playing && !isInside(position, loop) && !isShortened) this.seek(loop.start);
  };

  readonly watchMeter = this.meters.watch;

  private set(changes: Partial<PlayerState>) {
    this.state = { ...this.state, ...changes };
    for (const listener of this.listeners) listener();
  }

  private onReport(changes: Partial<EngineState>) {
    const { state, track } = this;
    const ready = track !== null && this.engine.isReady(track);
    // Loading audio does not lift an autoplay block.
    const hasRecovered = ready && !state.ready && state.error !== BLOCKED;
    const stopped = changes.playing === false ? { playingVersionId: state.versionId } : {};
    const isOutputLost = state.isOutputLost && changes.playing !== true;
    const place = placeIn(state.duration, changes.position ?? state.position, changes.hasEnded ?? state.hasEnded);
    if (changes.playing === false) this.meters.publish(null);
    const failed = changes.error === CANNOT_PLAY ? { error: failureMessage(this.media, track) } : {};
    this.set({ ...(hasRecovered ? { error: null } : {}), ...changes, ...failed, ...stopped, ...place, ...this.limits(), ready, isOutputLost });
  }

  /** The same version again: it may have been analysed since. */
  private reload(track: Track, at: number | null) {
    const wasReplaced = this.track !== null && isReplaced(this.track, track);
    if (wasReplaced) this.engine.forget(track);
    this.track = track;
    // What failed was the audio before.
    const recovered = wasReplaced && this.state.error !== BLOCKED ? { error: null } : {};
    this.set({ duration: track.duration, ...recovered, ...this.limits() });
    this.applyGains();
    if (at !== null) this.seek(at);
  }

  readonly limitationOf = (track: Track) => this.engine.limitationOf(track);

  /** How exactly the chosen track plays. */
  private limits(): Limits {
    return limitsOf(this.track && this.engine.limitationOf(this.track));
  }

  private start(at: number) {
    this.stopAt(null);
    if (this.track) this.engine.play(this.track, at);
  }

  private stopAt(at: number | null) {
    this.engine.stopAt(at);
    this.set({ stopAt: at });
  }

  private moveTo(seconds: number) {
    const position = clamp(seconds, this.state.duration);
    if (this.state.playing) this.engine.seek(position);
    else this.set({ position, hasEnded: false });
  }

  private setSound(changes: Partial<Pick<PlayerState, 'volume' | 'muted'>>) {
    this.set(changes);
    const { volume, muted } = this.state;
    this.engine.setSound({ volume, muted });
    writeVolume(this.storage, { volume, muted });
  }

  private gainDbOf(track: Track): number {
    return this.matchChoices.get(track.projectId) ? matchingGainDb(track, this.tracks) : 0;
  }

  private applyGains() {
    const { track } = this;
    const tracks = track === null ? this.tracks : [...this.tracks, track];
    this.engine.setGains(new Map(tracks.map((one) => [one.versionId, toLinearGain(this.gainDbOf(one))])));
    this.set({ isMatched: track === null || this.matchChoices.get(track.projectId), gainDb: track === null ? 0 : this.gainDbOf(track) });
  }

  /** Resets what was set for the previous project. */
  private openProject(projectId: string | null) {
    this.tracks = [];
    this.engine.setLoop(null);
    this.engine.setTempo(1);
    this.engine.setPitch(1);
    this.set({ projectId, loop: null, tempo: 1, pitch: 1 });
  }
}

/** The app's player. Framework-free; use it with `useSyncExternalStore`. */
export const createPlayerStore = (options: PlayerOptions): AppPlayer => new Player(options);
