import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { clamp, crossesEnd, endsTrack, isInside } from './playback-maths';
import type { PlayerMedia, PlayerOptions, PlayerState, PlayerStore, Track } from './player-state';
import { readVolume, writeVolume, type VolumeStorage } from './stored-volume';
import type { Span } from './time-scale';
import { CANNOT_PLAY, playbackErrorMessage } from './playback-error';

/** Play starts over when the playhead is this close to the end. */
const AT_THE_END_SECONDS = 0.05;
/** Ignore pause events this close to the end: `ended` follows. */
const END_SLACK_SECONDS = 0.25;
const SAME_MOMENT_SECONDS = 0.001;
/** MediaError.MEDIA_ERR_NETWORK. */
const NETWORK_ERROR = 2;
/** URLs that we are redirected to are valid at least this long. */
const URL_LIFETIME_MS = LIMITS.audioAddressMinutes * 60_000;
/** Playback has recovered from a network error once it is this far past it. */
const RECOVERED_SECONDS = 1;

const sameTrack = (one: Track | null, other: Track | null): boolean => one?.versionId === other?.versionId && one?.url === other?.url;

class MediaPlayer implements PlayerStore {
  private readonly listeners = new Set<() => void>();
  private track: Track | null = null;
  /** The track that the element loads; null before the first play and after a failure. */
  private fetched: Track | null = null;
  private fetchedAt = 0;
  private stopAt: number | null = null;
  /** Position of the last network error that was retried; null once playback has recovered. */
  private networkErrorAt: number | null = null;
  private frame = 0;
  private state: PlayerState;

  constructor(
    private readonly media: PlayerMedia,
    private readonly storage: VolumeStorage | undefined,
    private readonly now: () => number,
  ) {
    const stored = readVolume(storage);
    this.state = { versionId: null, playing: false, position: 0, duration: 0, ...stored, loop: null, rate: 1, ready: false, error: null };
    media.preload = 'none';
    // Allows reading the samples, not only playing them, when files are on another origin.
    media.crossOrigin = 'anonymous';
    media.volume = stored.volume;
    media.muted = stored.muted;
    this.listenToMedia();
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  readonly getSnapshot = () => this.state;

  readonly load = (next: Track | null) => {
    if (sameTrack(this.track, next)) return;
    const { playing, position } = this.state;
    this.track = next;
    this.stopAt = null;
    this.networkErrorAt = null;
    const duration = next?.duration ?? 0;
    this.set({ versionId: next?.versionId ?? null, duration, position: clamp(position, duration), ready: false, error: null });
    if (playing && next) return this.start();
    this.releaseSource();
    if (playing) this.setStopped();
  };

  readonly prepare = () => {
    if (this.track) this.fetch(this.track);
  };

  readonly play = () => {
    const { loop, position, duration } = this.state;
    this.stopAt = null;
    if (loop && !isInside(position, loop)) this.moveTo(loop.start);
    else if (position >= duration - AT_THE_END_SECONDS) this.moveTo(0);
    this.start();
  };

  readonly pause = () => {
    this.media.pause();
    this.setStopped(this.state.ready ? { position: clamp(this.media.currentTime, this.state.duration) } : {});
  };

  readonly toggle = () => (this.state.playing ? this.pause() : this.play());

  readonly seek = (seconds: number) => {
    this.stopAt = null;
    this.moveTo(seconds);
  };

  readonly rewind = () => this.seek(0);
  readonly nudge = (seconds: number) => this.seek(this.state.position + seconds);
  readonly setVolume = (volume: number) => this.setSound({ volume: clamp(volume, 1), muted: false });
  readonly setMuted = (muted: boolean) => this.setSound({ muted });

  readonly setRate = (rate: number) => {
    this.media.playbackRate = rate;
    this.set({ rate });
  };

  readonly setLoop = (loop: Span | null) => {
    this.set({ loop });
    if (loop && this.state.playing && !isInside(this.state.position, loop)) this.moveTo(loop.start);
  };

  readonly playSpan = (span: Span) => {
    this.moveTo(span.start);
    this.stopAt = span.end;
    this.start();
  };

  private set(changes: Partial<PlayerState>) {
    this.state = { ...this.state, ...changes };
    for (const listener of this.listeners) listener();
  }

  private setSound(changes: Partial<Pick<PlayerState, 'volume' | 'muted'>>) {
    this.set(changes);
    const { volume, muted } = this.state;
    this.media.volume = volume;
    this.media.muted = muted;
    writeVolume(this.storage, { volume, muted });
  }

  private moveTo(seconds: number) {
    const position = clamp(seconds, this.state.duration);
    if (this.state.ready) this.media.currentTime = position;
    this.set({ position });
  }

  private setStopped(changes: Partial<PlayerState> = {}) {
    cancelAnimationFrame(this.frame);
    this.stopAt = null;
    this.set({ playing: false, ...changes });
  }

  /** Removes the source, which aborts its download. */
  private releaseSource() {
    if (!this.fetched) return;
    this.fetched = null;
    this.media.pause();
    this.media.removeAttribute('src');
    this.media.load();
  }

  private fetch(track: Track) {
    if (this.fetched === track) return;
    this.fetched = track;
    this.fetchedAt = this.now();
    this.set({ ready: false });
    this.media.preload = 'auto';
    this.media.src = track.url;
    this.media.load();
  }

  private start() {
    const { track } = this;
    if (!track) return;
    this.fetch(track);
    this.media.playbackRate = this.state.rate;
    this.set({ playing: true, error: null });
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(this.tick);
    this.media.play().catch((error: unknown) => {
      const message = playbackErrorMessage(error);
      if (message !== null && track === this.track) this.setStopped({ error: message });
    });
  }

  private readonly tick = () => {
    this.syncPosition();
    if (this.state.playing) this.frame = requestAnimationFrame(this.tick);
  };

  private readonly syncPosition = () => {
    const { ready, playing, position, loop } = this.state;
    if (!ready || !playing) return;
    const now = this.media.currentTime;
    if (loop && crossesEnd(position, now, loop)) return this.moveTo(loop.start);
    if (this.stopAt !== null && now >= this.stopAt) {
      const end = this.stopAt;
      this.media.pause();
      return this.setStopped({ position: end });
    }
    if (now === position) return;
    if (this.networkErrorAt !== null && Math.abs(now - this.networkErrorAt) > RECOVERED_SECONDS) this.networkErrorAt = null;
    this.set({ position: clamp(now, this.state.duration) });
  };

  private listenToMedia() {
    const on = (type: string, act: () => void) => this.media.addEventListener(type, act);
    on('loadedmetadata', () => this.onMetadata());
    on('timeupdate', this.syncPosition);
    on('ended', () => this.onEnded());
    on('error', () => this.onError());
    on('waiting', () => this.onWaiting());
    // Mirror playback changes by the system: an incoming call, unplugged headphones, media keys.
    on('pause', () => {
      const { playing, ready, duration } = this.state;
      if (this.media.paused && playing && ready && this.media.currentTime < duration - END_SLACK_SECONDS) this.setStopped();
    });
    on('play', () => {
      if (!this.media.paused && !this.state.playing && this.state.ready) this.start();
    });
  }

  private onMetadata() {
    if (!this.fetched || this.fetched !== this.track) return;
    const { position, error } = this.state;
    // Loaded audio does not resolve an autoplay block.
    this.set({ ready: true, error: error === CANNOT_PLAY ? null : error });
    if (Math.abs(this.media.currentTime - position) > SAME_MOMENT_SECONDS) this.media.currentTime = position;
  }

  private onEnded() {
    const { loop, duration, playing } = this.state;
    if (!playing || this.fetched !== this.track) return;
    if (!loop || !endsTrack(loop, duration)) return this.setStopped({ position: duration });
    this.moveTo(loop.start);
    this.start();
  }

  /** Browsers retry an expired URL for up to a minute, so reload once playback stalls. */
  private onWaiting() {
    const { ready, playing } = this.state;
    if (!ready || !playing || this.now() - this.fetchedAt < URL_LIFETIME_MS) return;
    this.fetched = null;
    this.start();
  }

  /** The URL may have expired, and reloading gets a fresh one. One retry per position, because the file itself may be truncated. */
  private mayRetry(): boolean {
    return this.state.ready && this.media.error?.code === NETWORK_ERROR && this.networkErrorAt === null;
  }

  private onError() {
    if (!this.fetched || this.fetched !== this.track) return;
    this.fetched = null;
    if (!this.state.playing) return this.set({ ready: false });
    if (!this.mayRetry()) return this.setStopped({ ready: false, error: CANNOT_PLAY });
    this.networkErrorAt = this.state.position;
    this.start();
  }
}

/** Owns the page's media element. Framework-free; use it with `useSyncExternalStore`. */
export const createPlayerStore = ({ media, storage, now = () => performance.now() }: PlayerOptions): PlayerStore => new MediaPlayer(media, storage, now);
