import type { Limitation, Meter, PlayerState, Track } from '../player-state';
import type { Span } from '../../../shared/wave/span';

/** What an engine reports: the part of the player's state that playback itself decides. */
export type EngineState = Pick<PlayerState, 'playing' | 'isBuffering' | 'position' | 'hasEnded' | 'playingVersionId' | 'loadingVersionId' | 'error'>;

/** What an engine tells the player. */
export interface EngineHost {
  readonly report: (changes: Partial<EngineState>) => void;
  readonly onMeter: (meter: Meter) => void;
  /** The server no longer sends this version's audio to the user. */
  readonly onRefused: (track: Track) => void;
}

export type CreateEngine = (host: EngineHost) => PlaybackEngine;

export interface Sound {
  /** Linear, 0 to 1. */
  readonly volume: number;
  readonly muted: boolean;
}

/** Plays one track at a time. Times are in seconds from the start of the track's audio. Tempo and pitch are ratios to the original, 0.05 to 2. */
export interface PlaybackEngine {
  /** True once the track's audio can be played. */
  readonly isReady: (track: Track) => boolean;
  /** Why this track's playback is only approximate; null if it is sample-accurate. */
  readonly limitationOf: (track: Track) => Limitation | null;
  /** Gets ready for a first play, without fetching audio. */
  readonly warmUp?: () => void;
  /** Starts loading. */
  readonly prepare: (track: Track) => void;
  readonly play: (track: Track, at: number) => void;
  readonly pause: () => void;
  readonly seek: (at: number) => void;
  /** Switches to another version at the same playhead. */
  readonly crossfadeTo: (track: Track) => void;
  readonly setLoop: (loop: Span | null) => void;
  /** Stops playback when it reaches this time, once. */
  readonly stopAt: (at: number | null) => void;
  readonly setTempo: (tempo: number) => void;
  readonly setPitch: (pitch: number) => void;
  readonly setSound: (sound: Sound) => void;
  /** The versions of the project, which are prefetched once one of them plays. */
  readonly setTracks: (tracks: readonly Track[]) => void;
  /** Loudness match, as a linear gain per version. */
  readonly setGains: (gains: ReadonlyMap<string, number>) => void;
  readonly setMetering: (isOn: boolean) => void;
  /** Stops, and aborts the downloads of all tracks but this one. */
  readonly unload: (except: Track | null) => void;
  /** The version's file was replaced. The old audio keeps playing until the next pause. */
  readonly forget: (track: Track) => void;
  /** Frees all audio of a project, or of all projects. */
  readonly drop: (projectId?: string) => void;
}
