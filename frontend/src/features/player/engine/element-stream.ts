import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { CANNOT_PLAY, playbackErrorMessage } from '../playback-error';
import type { PlayerMedia, Track } from '../player-state';
import { sameTrack } from './same-track';

/** Ignore pause events this close to the end: `ended` follows. */
const END_SLACK_SECONDS = 0.25;
/** How far browsers decode ahead of the playhead. */
const DECODED_AHEAD_SECONDS = 1;
const SAME_MOMENT_SECONDS = 0.001;
const SOUNDING_SECONDS = 0.15;
/** MediaError.MEDIA_ERR_NETWORK. */
const NETWORK_ERROR = 2;
/** MediaError.MEDIA_ERR_DECODE. */
const DECODE_ERROR = 3;
/** URLs that we are redirected to are valid at least this long. */
const URL_LIFETIME_MS = LIMITS.audioAddressMinutes * 60_000;
/** Playback has recovered from a network error once the playhead is this far from it. */
const RECOVERED_SECONDS = 1;
/** Shorter waits are not shown as buffering. */
const SLOW_MS = 300;
/** After a stall of this length an expired URL is reloaded. */
const STALLED_MS = 2_000;

export interface StreamEvents {
  readonly onReady: () => void;
  readonly onTime: () => void;
  readonly onWaiting: (isWaiting: boolean) => void;
  readonly onEnded: () => void;
  /** Loading failed; the next play fetches the audio again. The message is null if nothing was playing. */
  readonly onFailed: (message: string | null) => void;
  /** The browser refused to start playback. */
  readonly onRefused: (message: string) => void;
  /** The system paused or resumed playback: an incoming call, unplugged headphones, media keys. */
  readonly onPaused: () => void;
  readonly onResumed: () => void;
}

/** Streams a track through the media element, and reloads it after failures. */
export class ElementStream {
  private track: Track | null = null;
  private fetchedAt = 0;
  private fetches = 0;
  private isReady = false;
  private isPlaying = false;
  /** The file was replaced while it played or loaded. */
  private isStale = false;
  /** Where playback starts once the audio is ready. */
  private startAt = 0;
  /** Position of the last network error that was retried; null once playback has recovered. */
  private networkErrorAt: number | null = null;
  private slow: ReturnType<typeof setTimeout> | undefined;
  private stall: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly media: PlayerMedia,
    private readonly now: () => number,
    private readonly events: StreamEvents,
  ) {
    media.preload = 'none';
    // Lets Web Audio read the samples when files are on another origin.
    media.crossOrigin = 'anonymous';
    this.listen();
  }

  readonly isOf = (track: Track) => sameTrack(this.track, track);
  readonly isOfProject = (projectId: string) => this.track?.projectId === projectId;
  readonly isLoaded = (track: Track) => this.isReady && this.isOf(track);

  /** Null until the audio can be played. */
  readonly time = (): number | null => (this.isReady ? this.media.currentTime : null);

  /** True once `currentTime` is well past the start, so that the stream is certainly audible. */
  readonly isSounding = () => this.isPlaying && this.isReady && this.media.currentTime > this.startAt + SOUNDING_SECONDS * this.media.playbackRate;

  readonly load = (track: Track) => {
    if (sameTrack(this.track, track)) return;
    this.track = track;
    this.networkErrorAt = null;
    this.fetch();
  };

  readonly play = (track: Track, at: number) => {
    this.isPlaying = true;
    this.startAt = at;
    this.load(track);
    if (this.isReady) this.seek(at);
    else this.setWaiting(true);
    this.startElement();
  };

  readonly pause = () => {
    clearTimeout(this.slow);
    clearTimeout(this.stall);
    this.isPlaying = false;
    this.media.pause();
    if (this.isStale) this.release();
  };

  /** The file was replaced. */
  readonly forget = (track: Track) => {
    if (!this.isOf(track)) return;
    if (this.isPlaying) this.isStale = true;
    else this.release();
  };

  readonly seek = (at: number) => {
    this.startAt = at;
    if (this.isReady && Math.abs(this.media.currentTime - at) > SAME_MOMENT_SECONDS) this.media.currentTime = at;
  };

  /** Removes the source, which aborts its download. */
  readonly release = () => {
    if (!this.track) return;
    this.track = null;
    this.isReady = false;
    this.isStale = false;
    this.pause();
    this.media.removeAttribute('src');
    this.media.load();
  };

  private fetch() {
    if (!this.track) return;
    this.fetchedAt = this.now();
    this.fetches += 1;
    this.isStale = false;
    this.isReady = false;
    this.media.preload = 'auto';
    this.media.src = this.track.url;
    this.media.load();
  }

  private startElement() {
    const { track, fetches } = this;
    this.media.play().catch((error: unknown) => {
      const message = playbackErrorMessage(error);
      // After an error event browsers also reject the call that started the failed source, which may have been replaced by then.
      if (message === null || track !== this.track || fetches !== this.fetches) return;
      this.isPlaying = false;
      this.events.onRefused(message);
    });
  }

  /** Reloads the audio and continues at the same playhead, or starts where it was to start. */
  private restart() {
    if (this.isReady) this.startAt = this.media.currentTime;
    this.fetch();
    this.startElement();
  }

  private listen() {
    const on = (type: string, act: () => void) => this.media.addEventListener(type, act);
    on('loadedmetadata', () => this.onMetadata());
    on('timeupdate', () => this.onTime());
    on('ended', () => this.isPlaying && this.events.onEnded());
    on('error', () => this.onError());
    on('waiting', () => this.onWaiting());
    on('playing', () => this.setWaiting(false));
    on('pause', () => this.onPause());
    on('play', () => {
      if (!this.media.paused && !this.isPlaying && this.isReady) this.events.onResumed();
    });
  }

  private onMetadata() {
    if (!this.track) return;
    this.isReady = true;
    this.seek(this.startAt);
    this.events.onReady();
  }

  private onTime() {
    if (this.networkErrorAt !== null && Math.abs(this.media.currentTime - this.networkErrorAt) > RECOVERED_SECONDS) this.networkErrorAt = null;
    if (this.isPlaying && this.isReady) this.events.onTime();
  }

  private onPause() {
    const { media, track, isPlaying, isReady } = this;
    if (!track || !media.paused || !isPlaying || !isReady || media.currentTime >= track.duration - END_SLACK_SECONDS) return;
    this.isPlaying = false;
    this.events.onPaused();
  }

  private setWaiting(isWaiting: boolean) {
    clearTimeout(this.slow);
    clearTimeout(this.stall);
    if (!this.isPlaying) return;
    if (isWaiting) this.slow = setTimeout(() => this.isPlaying && this.events.onWaiting(true), SLOW_MS);
    else this.events.onWaiting(false);
  }

  /** Browsers retry an expired URL for up to a minute, so reload once playback stalls there. */
  private onWaiting() {
    if (!this.isReady || !this.isPlaying) return;
    this.setWaiting(true);
    if (this.now() - this.fetchedAt < URL_LIFETIME_MS) return;
    this.stall = setTimeout(() => {
      if (this.isReady && this.isPlaying && !this.isBuffered()) this.restart();
    }, STALLED_MS);
  }

  /** A seek also fires `waiting`, but continues by itself if the audio is buffered. */
  private isBuffered(): boolean {
    const { buffered, currentTime } = this.media;
    return Array.from({ length: buffered.length }).some((_, index) => buffered.start(index) <= currentTime && buffered.end(index) > currentTime);
  }

  /** The URL may have expired, and reloading gets a fresh one. One retry per position, because the file itself may be truncated. */
  private mayRetry(): boolean {
    return this.isReady && this.media.error?.code === NETWORK_ERROR && this.networkErrorAt === null;
  }

  /** Browsers fail on a last frame that is cut, which says no more than that the audio is over. */
  private hasReachedEnd(): boolean {
    const { media, track } = this;
    return this.isReady && media.error?.code === DECODE_ERROR && track !== null && media.currentTime >= track.duration - DECODED_AHEAD_SECONDS;
  }

  private onError() {
    if (!this.track) return;
    if (this.isPlaying && this.isStale) return this.restart();
    if (this.isPlaying && this.mayRetry()) {
      this.networkErrorAt = this.media.currentTime;
      return this.restart();
    }
    const message = this.isPlaying ? CANNOT_PLAY : null;
    const hasEnded = this.isPlaying && this.hasReachedEnd();
    this.track = null;
    this.isReady = false;
    this.isPlaying = false;
    if (hasEnded) this.events.onEnded();
    else this.events.onFailed(message);
  }
}
