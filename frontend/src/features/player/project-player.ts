import { matchingGainDb } from '../../shared/project/loudness-match';
import { clamp } from './playback-maths';
import { type AppPlayer, INITIAL_STATE, limitsOf, type LoadOptions, type Meter, type PlayerState, type PlayerStore, type Track } from './player-state';
import type { Span } from '../../shared/wave/span';

/** Settings made on the page before its project plays. */
type Cue = Pick<PlayerState, 'position' | 'loop' | 'tempo' | 'pitch'>;

const START: Cue = { position: 0, loop: null, tempo: 1, pitch: 1 };

/**
 * The app's player as seen by one project's page: while another project plays, the page shows its own version, paused. Pressing play replaces what plays.
 */
class ProjectPlayer implements PlayerStore {
  private readonly listeners = new Set<() => void>();
  private track: Track | null = null;
  private tracks: readonly Track[] = [];
  private cue = START;
  private cued: PlayerState | null = null;

  constructor(
    private readonly app: AppPlayer,
    private readonly projectId: string,
  ) {}

  readonly subscribe = (listener: () => void) => {
    let last = this.getSnapshot();
    const notify = () => {
      const now = this.getSnapshot();
      if (now === last) return;
      last = now;
      listener();
    };
    this.listeners.add(notify);
    const unsubscribe = this.app.subscribe(notify);
    return () => {
      unsubscribe();
      this.listeners.delete(notify);
    };
  };

  readonly getSnapshot = () => {
    const app = this.app.getSnapshot();
    if (app.projectId === this.projectId) return app;
    const { volume, muted } = app;
    const isMatched = this.app.isMatchedIn(this.projectId);
    if (this.cued === null || this.cued.volume !== volume || this.cued.muted !== muted || this.cued.isMatched !== isMatched) {
      const versionId = this.track?.versionId ?? null;
      const gainDb = isMatched && this.track ? matchingGainDb(this.track, this.tracks) : 0;
      const { projectId, track } = this;
      const duration = track?.duration ?? 0;
      this.cued = {
        ...INITIAL_STATE,
        ...limitsOf(track && this.app.limitationOf(track)),
        ...this.cue,
        projectId,
        versionId,
        playingVersionId: versionId,
        duration,
        hasEnded: track !== null && this.cue.position > duration,
        volume,
        muted,
        isMatched,
        gainDb,
      };
    }
    return this.cued;
  };

  readonly load = (track: Track | null, options: LoadOptions = {}) => {
    this.track = track;
    if (this.isInApp()) return this.app.load(track, options);
    // Without `at` the playhead stays, also beyond the end of a shorter version.
    const { at = null } = options;
    this.setCue(at === null ? {} : { position: clamp(at, track?.duration ?? 0) });
  };

  readonly setTracks = (tracks: readonly Track[]) => {
    this.tracks = tracks;
    if (this.isInApp()) this.app.setTracks(tracks);
    else this.setCue({});
  };

  readonly prepare = () => {
    if (this.isInApp()) this.app.prepare();
    else if (this.track) this.app.prepareTrack(this.track);
  };

  readonly play = () => {
    this.takeOver();
    this.app.play();
  };
  readonly playSpan = (span: Span) => {
    this.takeOver();
    this.app.playSpan(span);
  };
  readonly pause = () => {
    if (this.isInApp()) this.app.pause();
  };
  readonly toggle = () => (this.getSnapshot().playing ? this.pause() : this.play());

  readonly seek = (seconds: number) => {
    if (this.isInApp()) this.app.seek(seconds);
    else this.setCue({ position: clamp(seconds, this.track?.duration ?? 0) });
  };
  readonly rewind = () => this.seek(0);
  readonly nudge = (seconds: number) => this.seek(this.getSnapshot().position + seconds);

  readonly setVolume = (volume: number) => this.app.setVolume(volume);
  readonly setMuted = (muted: boolean) => this.app.setMuted(muted);
  readonly setMatched = (isMatched: boolean) => this.app.setMatchedIn(this.projectId, isMatched);
  readonly setTempo = (tempo: number) => (this.isInApp() ? this.app.setTempo(tempo) : this.setCue({ tempo }));
  readonly setPitch = (pitch: number) => (this.isInApp() ? this.app.setPitch(pitch) : this.setCue({ pitch }));
  readonly setLoop = (loop: Span | null) => (this.isInApp() ? this.app.setLoop(loop) : this.setCue({ loop }));

  readonly watchMeter = (listener: (meter: Meter | null) => void) => this.app.watchMeter((meter) => listener(this.isInApp() ? meter : null));

  private isInApp(): boolean {
    return this.app.getSnapshot().projectId === this.projectId;
  }

  private setCue(changes: Partial<Cue>) {
    this.cue = { ...this.cue, ...changes };
    this.cued = null;
    for (const notify of this.listeners) notify();
  }

  /** Applies the cue to the app's player, replacing what it plays. */
  private takeOver() {
    const { track, cue } = this;
    if (this.isInApp() || !track) return;
    this.app.load(track, { at: cue.position });
    this.app.setTracks(this.tracks);
    this.app.setTempo(cue.tempo);
    this.app.setPitch(cue.pitch);
    this.app.setLoop(cue.loop);
    this.cue = START;
    this.cued = null;
  }
}

/** The player of one project's page. */
export const createProjectPlayer = (app: AppPlayer, projectId: string): PlayerStore => new ProjectPlayer(app, projectId);
