import { NUDGE_SECONDS } from './playback-maths';
import type { PlayerState, PlayerStore } from './player-state';

/** The part of `navigator.mediaSession` that is used here. */
export type SystemSession = Pick<MediaSession, 'metadata' | 'playbackState' | 'setActionHandler' | 'setPositionState'>;

/** The metadata of the playing version, and actions for the previous and next version. */
export interface SessionDetails {
  readonly title: string;
  readonly artist: string;
  readonly album: string;
  readonly artwork: readonly MediaImage[];
  /** null without a version on that side. */
  readonly onPrevious: (() => void) | null;
  readonly onNext: (() => void) | null;
  readonly onStop: () => void;
}

/** The system extrapolates the position; larger errors are corrected. */
const DRIFT_SECONDS = 0.25;

/** Sets or removes handlers. Browsers throw for unsupported actions, which are skipped. */
function setHandlers(session: SystemSession, handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler | null>>): void {
  for (const [action, handler] of Object.entries(handlers)) {
    try {
      session.setActionHandler(action as MediaSessionAction, handler);
    } catch {
      continue;
    }
  }
}

const removed = <Action extends MediaSessionAction>(actions: readonly Action[]) => Object.fromEntries(actions.map((action) => [action, null] as const));

/** Reports the position when the system cannot extrapolate it from the last report: after a start, a stop, a seek, another version or tempo. */
function createPositionReport(session: SystemSession, now: () => number): (state: PlayerState) => void {
  let last: (PlayerState & { readonly at: number }) | null = null;
  const extrapolated = (at: number): number => (last === null ? Number.NaN : last.position + (last.playing ? ((at - last.at) / 1_000) * last.tempo : 0));
  return (state) => {
    const at = now();
    const isSame = last?.playing === state.playing && last.versionId === state.versionId && last.duration === state.duration && last.tempo === state.tempo;
    if (isSame && Math.abs(state.position - extrapolated(at)) <= DRIFT_SECONDS) return;
    last = { ...state, at };
    const { duration, position, tempo } = state;
    // Browsers refuse a position outside the track.
    if (duration > 0) session.setPositionState({ duration, position: Math.min(Math.max(position, 0), duration), playbackRate: tempo });
    else session.setPositionState();
  };
}

const PLAYBACK_ACTIONS = ['play', 'pause', 'seekto', 'seekbackward', 'seekforward'] as const;

/** Publishes the playback state to the media session, and handles its actions. @returns a function that stops this */
export function followPlayback(session: SystemSession, store: PlayerStore, now: () => number = () => performance.now()): () => void {
  const report = createPositionReport(session, now);
  const onState = () => {
    const state = store.getSnapshot();
    const playbackState = state.playing ? 'playing' : 'paused';
    if (session.playbackState !== playbackState) session.playbackState = playbackState;
    report(state);
  };
  setHandlers(session, {
    play: store.play,
    pause: store.pause,
    seekto: ({ seekTime }) => seekTime !== undefined && store.seek(seekTime),
    seekbackward: ({ seekOffset }) => store.nudge(-(seekOffset ?? NUDGE_SECONDS)),
    seekforward: ({ seekOffset }) => store.nudge(seekOffset ?? NUDGE_SECONDS),
  });
  const unsubscribe = store.subscribe(onState);
  onState();
  return () => {
    unsubscribe();
    setHandlers(session, removed(PLAYBACK_ACTIONS));
    session.setPositionState();
    session.playbackState = 'none';
  };
}

/** Publishes the metadata to the media session, with actions for the previous and next version. @returns a function that stops this */
export function showDetails(session: SystemSession, { title, artist, album, artwork, onPrevious, onNext, onStop }: SessionDetails): () => void {
  session.metadata = new MediaMetadata({ title, artist, album, artwork: [...artwork] });
  setHandlers(session, { previoustrack: onPrevious, nexttrack: onNext, stop: onStop });
  return () => {
    session.metadata = null;
    setHandlers(session, removed(['previoustrack', 'nexttrack', 'stop']));
  };
}

/** The browser's media session; null if it has none. */
export const systemSession = (): SystemSession | null => ('mediaSession' in navigator && 'MediaMetadata' in window ? navigator.mediaSession : null);
