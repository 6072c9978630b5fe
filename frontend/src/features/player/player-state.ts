import type { VolumeStorage } from './stored-volume';
import type { Span } from './time-scale';

/** What a player plays. */
export interface Track {
  readonly versionId: string;
  readonly url: string;
  /** Seconds, known before any audio is. */
  readonly duration: number;
}

export interface PlayerState {
  readonly versionId: string | null;
  /** True from the press of play on, also while the first bytes are on their way. */
  readonly playing: boolean;
  /** Seconds. */
  readonly position: number;
  readonly duration: number;
  readonly volume: number;
  readonly muted: boolean;
  readonly loop: Span | null;
  readonly rate: number;
  /** True once the media element knows the track. */
  readonly ready: boolean;
  /** A sentence for the user, until the next try or until the sound has come after all. */
  readonly error: string | null;
}

export interface PlayerStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => PlayerState;
  /** Takes another track; the playhead stays where it is, and what plays plays on from there. Nothing is fetched before it is played. */
  readonly load: (track: Track | null) => void;
  /** Somebody is about to play: asks for the sound ahead of the press. A failure is told by the press. */
  readonly prepare: () => void;
  readonly play: () => void;
  readonly pause: () => void;
  readonly toggle: () => void;
  readonly seek: (seconds: number) => void;
  readonly rewind: () => void;
  /** Seeks from the playhead. */
  readonly nudge: (seconds: number) => void;
  readonly setVolume: (volume: number) => void;
  readonly setMuted: (muted: boolean) => void;
  readonly setRate: (rate: number) => void;
  readonly setLoop: (loop: Span | null) => void;
  /** Plays a part once and stops at its end; with a loop set, round and round. */
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
  /** Milliseconds on a clock that never jumps. */
  readonly now?: () => number;
}
