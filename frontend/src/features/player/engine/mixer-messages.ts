/**
 * The messages between the page and the mixer's worklet. Times of audio are seconds of source time, from the first frame of the decoded audio.
 * Context times are those of AudioContext.currentTime. Gains are linear.
 */

/** Version id of a track, or any other id that the page chooses. */
export type TrackId = string;

export type MixerCommand =
  /** Decoded audio at the context's rate; its buffers are transferred. One or two channels of equal length: `toStereo` mixes more of them down. */
  | { readonly type: 'addTrack'; readonly trackId: TrackId; readonly channels: readonly Float32Array[]; readonly gain: number }
  /** Frees the audio. If it is playing, playback stops first (reason `dropped`). Unknown ids are ignored. */
  | { readonly type: 'dropTrack'; readonly trackId: TrackId }
  /** Loudness match of a track or the stream. Changes ramp over 20 ms. May precede `addTrack`. */
  | { readonly type: 'setGain'; readonly trackId: TrackId; readonly gain: number }
  /** Plays the input, which carries this version's stream. The page starts, seeks and loops the media element itself, and applies `stopAt` to it. */
  | { readonly type: 'startStream'; readonly trackId: TrackId }
  /** Plays decoded audio, with a fade-in of 5 ms, or a crossfade from what is playing. */
  | { readonly type: 'start'; readonly trackId: TrackId; readonly at: number }
  /** Fades out in 5 ms, then reports `stopped` (reason `stop`) with the audible position. Pause the media element after the report, not before. */
  | { readonly type: 'stop' }
  /** Moves the playhead of decoded audio, playing or not. */
  | { readonly type: 'seek'; readonly at: number }
  /** Switches to another decoded track at the same playhead in 20 ms. While stopped it only changes the track. */
  | { readonly type: 'crossfade'; readonly trackId: TrackId }
  /**
   * When the end moves before the playhead, the playhead wraps at once: the loop's length is subtracted until it is inside, so it stays in time. After a seek
   * beyond the end, playback continues without looping.
   */
  | { readonly type: 'setLoop'; readonly loop: LoopSpan | null }
  /** 0.05 to 2, 1 is the original. On the stream only the pitch applies: its tempo is the media element's playbackRate. */
  | { readonly type: 'setTempoAndPitch'; readonly tempo: number; readonly pitch: number }
  /** Stops at a time (reason `stopAt`), once. Cleared by `start`, `seek` and null; a loop takes precedence. */
  | { readonly type: 'stopAt'; readonly at: number | null }
  /**
   * Moves from the stream to the same version's decoded audio. `estimate` is the stream's position at a context time. The mixer finds the exact position
   * within a second of it. Without `align` (the stream's tempo is changed), and when the stream is silent, it takes the estimate.
   */
  | { readonly type: 'takeOver'; readonly trackId: TrackId; readonly estimate: StreamPlace; readonly align: boolean }
  | { readonly type: 'setMetering'; readonly isOn: boolean };

export interface LoopSpan {
  readonly start: number;
  readonly end: number;
}

export interface StreamPlace {
  readonly at: number;
  readonly contextTime: number;
}

export type StopReason = 'stop' | 'stopAt' | 'end' | 'dropped';

/** Sent after every change and about every 50 ms while playing. */
export interface MixerState {
  readonly type: 'state';
  /** When `position` leaves the mixer; it is audible after the context's output latency. */
  readonly contextTime: number;
  readonly trackId: TrackId | null;
  readonly source: 'stream' | 'buffer' | null;
  readonly isPlaying: boolean;
  /** Of decoded audio. While the stream plays, the media element has the position. */
  readonly position: number;
  /** Seconds of source time per second: the tempo while the playhead moves, else 0. */
  readonly rate: number;
  /** The playhead is beyond this version's end: playback is silent and the playhead waits for another version. */
  readonly hasEnded: boolean;
  /** Repeats of the loop since it was set or the last seek, for diagnostics. */
  readonly turns: number;
  /** Seconds by which the stream's audio is delayed inside the mixer (pitch). 0 for decoded audio, whose position accounts for it. */
  readonly delay: number;
}

export type MixerReport =
  | MixerState
  | { readonly type: 'stopped'; readonly contextTime: number; readonly reason: StopReason; readonly trackId: TrackId | null; readonly position: number }
  /** Decoded audio plays from here on. `offset`: found position minus estimate, in seconds; `isExact` is false if the estimate was used. */
  | { readonly type: 'tookOver'; readonly trackId: TrackId; readonly position: number; readonly offset: number; readonly isExact: boolean }
  /** The stream continues. `noMatch`: its audio was not found near the estimate, so retry with a new one. `notReady`: no such track, or no stream plays. */
  | { readonly type: 'takeOverFailed'; readonly trackId: TrackId; readonly reason: 'noMatch' | 'notReady' }
  /** About 10 times a second while metering is on and audio plays. Measured before gains. `shortTerm` in LUFS: null below -70 LUFS, and until 0.4 s have played. `peak`: 1 is full scale. */
  | { readonly type: 'meter'; readonly shortTerm: number | null; readonly peak: number };
