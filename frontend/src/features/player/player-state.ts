import type { VolumeStorage } from './stored-volume';
import type { Span } from './time-scale';

/** The audio of one version. */
export interface Track {
  readonly versionId: string;
  readonly url: string;
  /** Seconds, known before any audio is loaded. */
  readonly duration: number;
}

export interface PlayerState {
  readonly versionId: string | null;
  /** True from the moment play is requested, including while audio is loading. */
  readonly playing: boolean;
  /** Seconds. */
  readonly position: number;
  readonly duration: number;
  readonly volume: number;
  readonly muted: boolean;
  readonly loop: Span | null;
  readonly rate: number;
  /** True once the media element has loaded the track's metadata. */
  readonly ready: boolean;
  /** Error message for the user, cleared by the next attempt or once the audio has loaded. */
  readonly error: string | null;
}

export interface PlayerStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => PlayerState;
  /** Switches to another track. The playhead and playback continue; a paused player fetches nothing. */
  readonly load: (track: Track | null) => void;
  /** Starts loading before an expected play. A failure is reported only when play is pressed. */
  readonly prepare: () => void;
  readonly play: () => void;
  readonly pause: () => void;
  readonly toggle: () => void;
  readonly seek: (seconds: number) => void;
  readonly rewind: () => void;
  /** Seeks relative to the playhead. */
  readonly nudge: (seconds: number) => void;
  readonly setVolume: (volume: number) => void;
  readonly setMuted: (muted: boolean) => void;
  readonly setRate: (rate: number) => void;
  readonly setLoop: (loop: Span | null) => void;
  /** Plays a span once and stops at its end; repeats it if a loop is set. */
  readonly playSpan: (span: Span) => void;
}

/** The part of a media element that a player needs. */
export type PlayerMedia = Pick<
  HTMLMediaElement,
  | 'src'
  | 'crossOrigin'
  | 'preload'
  | 'currentTime'
  | 'volume'
  | 'muted'
  | 'playbackRate'
  | 'paused'
  | 'error'
  | 'play'
  | 'pause'
  | 'load'
  | 'removeAttribute'
  | 'addEventListener'
>;

export interface PlayerOptions {
  readonly media: PlayerMedia;
  readonly storage?: VolumeStorage | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}
