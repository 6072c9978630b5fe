import type { Span } from '../../shared/wave/span';

/** The audio of one version. */
export interface Track {
  readonly versionId: string;
  readonly projectId: string;
  readonly url: string;
  /** Seconds, known before any audio is loaded. */
  readonly duration: number;
  /** Integrated loudness in LUFS; null for silence and until the file is analysed. */
  readonly loudness: number | null;
  /** Of the audio at `url`. */
  readonly codec: string;
}

/** Why playback is less exact than usual: the file is too long to decode, the browser cannot decode it, or the browser lacks Web Audio. */
export type Limitation = 'long-file' | 'undecodable' | 'no-web-audio';

export interface PlayerState {
  readonly projectId: string | null;
  /** The version that was chosen last. */
  readonly versionId: string | null;
  /** The version that plays, or plays next. Differs from `versionId` while the chosen one is loading. */
  readonly playingVersionId: string | null;
  /** The chosen version while it is loading and the previous one still plays. */
  readonly loadingVersionId: string | null;
  /** True from the moment play is requested, including while audio is loading. */
  readonly playing: boolean;
  /** True while playback waits for audio. */
  readonly isBuffering: boolean;
  /** Seconds. May lie beyond the end of a version that is shorter than the one before: see `hasEnded`. */
  readonly position: number;
  readonly duration: number;
  /** True if the playhead kept its position, which is beyond the end of this version. */
  readonly hasEnded: boolean;
  readonly volume: number;
  readonly muted: boolean;
  readonly loop: Span | null;
  /** End of a span that is played once, in seconds; kept while paused. */
  readonly stopAt: number | null;
  /** Ratio to the original, `tempoFloor` to 2. */
  readonly tempo: number;
  readonly pitch: number;
  readonly tempoFloor: number;
  /** True if the versions of this project are turned down to the quietest. */
  readonly isMatched: boolean;
  /** Loudness match of this version in dB; at most 0. */
  readonly gainDb: number;
  /** Whether loops and switches are sample-accurate. */
  readonly precision: 'exact' | 'approximate';
  /** Why precision is approximate and the tempo floor is higher; null if they are not. */
  readonly limitation: Limitation | null;
  /** True once the track's audio can be played. */
  readonly ready: boolean;
  /** True after playback was paused because its output device disappeared, until the next play. */
  readonly isOutputLost: boolean;
  /** Error message for the user, cleared by the next attempt or once the audio has loaded. */
  readonly error: string | null;
}

export type Limits = Pick<PlayerState, 'tempoFloor' | 'precision' | 'limitation'>;

/** The lowest tempo and pitch of the mixer. */
export const LOWEST_RATIO = 0.05;
/** The lowest `playbackRate` that browsers play. */
export const ELEMENT_TEMPO_FLOOR = 0.1;

const EXACT: Limits = { tempoFloor: LOWEST_RATIO, precision: 'exact', limitation: null };

export const limitsOf = (limitation: Limitation | null): Limits =>
  limitation === null ? EXACT : { tempoFloor: ELEMENT_TEMPO_FLOOR, precision: 'approximate', limitation };

export const INITIAL_STATE: PlayerState = {
  projectId: null,
  versionId: null,
  playingVersionId: null,
  loadingVersionId: null,
  playing: false,
  isBuffering: false,
  position: 0,
  duration: 0,
  hasEnded: false,
  volume: 1,
  muted: false,
  loop: null,
  stopAt: null,
  tempo: 1,
  pitch: 1,
  isMatched: true,
  gainDb: 0,
  ...limitsOf(null),
  ready: false,
  isOutputLost: false,
  error: null,
};

/** Levels at the playhead, before volume and loudness match. */
export interface Meter {
  /** Short-term loudness in LUFS; null below -70 LUFS, and until 400 ms have played. */
  readonly shortTerm: number | null;
  /** Highest absolute sample since the last reading; 1 is full scale. */
  readonly peak: number;
}

export interface LoadOptions {
  /** New playhead in seconds; by default it stays. */
  readonly at?: number | null;
}

export interface PlayerStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => PlayerState;
  /** Chooses a track. Within a project the playhead and playback continue; a paused player fetches nothing. */
  readonly load: (track: Track | null, options?: LoadOptions) => void;
  /** Sets all playable versions of the track's project: their loudness is matched, and neighbours are prefetched. */
  readonly setTracks: (tracks: readonly Track[]) => void;
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
  readonly setTempo: (tempo: number) => void;
  readonly setPitch: (pitch: number) => void;
  /** Stored per project, for the next visit too. */
  readonly setMatched: (isMatched: boolean) => void;
  readonly setLoop: (loop: Span | null) => void;
  /** Plays a span once and stops at its end; repeats it if a loop is set. */
  readonly playSpan: (span: Span) => void;
  /** Calls `listener` about 10 times a second during playback, and with null when it stops. @returns a function that stops it */
  readonly watchMeter: (listener: (meter: Meter | null) => void) => () => void;
}

/** The one player of the app. Project pages use it through {@link createProjectPlayer}. */
export interface AppPlayer extends PlayerStore {
  /** Gets ready for a first play, without fetching audio. */
  readonly warmUp: () => void;
  /** Like `prepare`, for a track that is not chosen yet. Does nothing while another plays. */
  readonly prepareTrack: (track: Track) => void;
  /** Pauses because the output device has disappeared. */
  readonly loseOutput: () => void;
  readonly limitationOf: (track: Track) => Limitation | null;
  readonly isMatchedIn: (projectId: string) => boolean;
  readonly setMatchedIn: (projectId: string, isMatched: boolean) => void;
  /** Stops playback of a project immediately and drops its audio; without an id, of all projects. */
  readonly release: (projectId?: string) => void;
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
  | 'defaultPlaybackRate'
  | 'buffered'
  | 'paused'
  | 'error'
  | 'play'
  | 'pause'
  | 'load'
  | 'removeAttribute'
  | 'canPlayType'
  | 'addEventListener'
>;
