import type { Limitation, Track } from '../player-state';
import type { Span } from '../../../shared/wave/span';
import { capBytes, decodedBytes } from './memory-cap';
import type { CreateEngine, EngineHost, PlaybackEngine, Sound } from './playback-engine';

/** Timeout of the engine's code, after which the media element plays. */
const LOADING_MS = 10_000;

type Call = (engine: PlaybackEngine) => void;

/** Loads an engine ahead of the first play, or for it, and replays the earlier calls on it. */
export class LazyEngine implements PlaybackEngine {
  private engine: PlaybackEngine | null = null;
  private code: Promise<CreateEngine> | null = null;
  private calls: Call[] = [];

  constructor(
    private readonly load: () => Promise<CreateEngine>,
    private readonly createFallback: CreateEngine,
    private readonly host: EngineHost,
  ) {}

  readonly isReady = (track: Track) => this.engine?.isReady(track) ?? false;
  readonly limitationOf = (track: Track): Limitation | null => {
    if (this.engine) return this.engine.limitationOf(track);
    return decodedBytes(track) > capBytes() ? 'long-file' : null;
  };

  readonly warmUp = () => void this.start(false);

  readonly prepare = (track: Track) => {
    this.call((engine) => engine.prepare(track));
    this.warmUp();
  };
  readonly play = (track: Track, at: number) => {
    this.call((engine) => engine.play(track, at));
    if (this.engine) return;
    this.host.report({ playing: true, isBuffering: true, position: at, error: null });
    void this.start(true);
  };
  readonly pause = () => {
    this.call((engine) => engine.pause());
    if (!this.engine) this.host.report({ playing: false, isBuffering: false });
  };
  readonly seek = (at: number) => {
    this.call((engine) => engine.seek(at));
    if (!this.engine) this.host.report({ position: at });
  };
  readonly crossfadeTo = (track: Track) => this.call((engine) => engine.crossfadeTo(track));
  readonly setLoop = (loop: Span | null) => this.call((engine) => engine.setLoop(loop));
  readonly stopAt = (at: number | null) => this.call((engine) => engine.stopAt(at));
  readonly setTempo = (tempo: number) => this.call((engine) => engine.setTempo(tempo));
  readonly setPitch = (pitch: number) => this.call((engine) => engine.setPitch(pitch));
  readonly setTracks = (tracks: readonly Track[]) => this.call((engine) => engine.setTracks(tracks));
  readonly setSound = (sound: Sound) => this.call((engine) => engine.setSound(sound));
  readonly setGains = (gains: ReadonlyMap<string, number>) => this.call((engine) => engine.setGains(gains));
  readonly setMetering = (isOn: boolean) => this.call((engine) => engine.setMetering(isOn));
  readonly unload = (except: Track | null) => this.call((engine) => engine.unload(except));
  readonly forget = (track: Track) => this.call((engine) => engine.forget(track));
  readonly drop = (projectId?: string) => this.call((engine) => engine.drop(projectId));

  private call(call: Call) {
    if (this.engine) call(this.engine);
    else this.calls.push(call);
  }

  /** Without the engine's code or an audio device, the media element still plays. A failed warm-up is retried by the first play. */
  private async start(isPlay: boolean): Promise<void> {
    const timer = isPlay ? setTimeout(this.fallBack, LOADING_MS) : undefined;
    const create = await this.loadCode().catch(() => null);
    clearTimeout(timer);
    const engine = this.engine === null && create !== null ? this.tryToCreate(create) : null;
    if (engine !== null) this.use(engine);
    else if (isPlay) this.fallBack();
  }

  private readonly fallBack = () => {
    if (this.engine === null) this.use(this.createFallback(this.host));
  };

  private use(engine: PlaybackEngine) {
    this.engine = engine;
    const { calls } = this;
    this.calls = [];
    for (const call of calls) call(engine);
  }

  /** One load at a time; a failed one can be repeated. */
  private async loadCode(): Promise<CreateEngine> {
    this.code ??= this.load();
    try {
      return await this.code;
    } catch (error) {
      this.code = null;
      throw error;
    }
  }

  private tryToCreate(create: CreateEngine): PlaybackEngine | null {
    try {
      return create(this.host);
    } catch {
      return null;
    }
  }
}
