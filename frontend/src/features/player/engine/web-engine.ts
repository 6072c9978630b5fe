import { BLOCKED, CANNOT_PLAY } from '../playback-error';
import type { PlayerMedia, Track } from '../player-state';
import type { Span } from '../../../shared/wave/span';
import type { AudioGraph, CreateGraph } from './audio-graph';
import { BufferVoice } from './buffer-voice';
import { AudioLibrary, type LibraryOptions } from './audio-library';
import type { DecodeFailure } from './decoded-tracks';
import { ElementEngine } from './element-engine';
import type { MixerReport } from './mixer-messages';
import { MixerSettings } from './mixer-settings';
import type { EngineHost, EngineState, PlaybackEngine, Sound } from './playback-engine';
import { sameTrack } from './same-track';
import { StreamHandOver } from './stream-hand-over';
import { FADE_OUT_MS, GraphOutput } from './stream-output';

type Options = LibraryOptions & { readonly media: PlayerMedia; readonly createGraph: CreateGraph };

/**
 * Streams a track at once and moves to its decoded audio when that is ready. The element engine plays the stream, the mixer the decoded audio; only one
 * of them plays at a time.
 */
export class WebEngine implements PlaybackEngine {
  private readonly graph: AudioGraph;
  private readonly settings: MixerSettings;
  private readonly output: GraphOutput;
  private readonly element: ElementEngine;
  private readonly buffer: BufferVoice;
  private readonly library: AudioLibrary;
  private readonly handOver: StreamHandOver;
  private hasMixer = false;
  private source: 'stream' | 'buffer' = 'stream';
  private playing = false;
  private track: Track | null = null;
  /** The chosen version while the previous one still plays. */
  private next: Track | null = null;
  /** Playhead at which the stream failed, while the file is still being downloaded for decoding. */
  private lostAt: number | null = null;

  constructor(
    options: Options,
    private readonly host: EngineHost,
  ) {
    const graph = options.createGraph({
      onMixer: (isLoaded) => this.onMixer(isLoaded),
      onReport: (report) => this.onReport(report),
      onInterrupted: () => this.playing && this.pause(),
      onBlocked: () => this.fail(BLOCKED),
    });
    this.graph = graph;
    this.output = new GraphOutput(graph, () => this.hasMixer);
    this.element = new ElementEngine(options, { ...host, report: (changes) => this.onStream(changes) }, this.output);
    this.buffer = new BufferVoice(graph, { ...host, report: (changes) => this.report(changes) });
    this.settings = new MixerSettings(graph, this.element, this.buffer);
    this.library = new AudioLibrary(options, {
      graph,
      gainOf: this.settings.gainOf,
      onReady: (track) => this.onDecoded(track),
      onFailed: (track, failure) => this.onDecodeFailed(track, failure),
    });
    this.handOver = new StreamHandOver({
      graph,
      stream: () => ({ at: this.element.place(), isSounding: this.element.isSounding(), isOriginal: this.settings.tempo === 1 }),
      onTookOver: (track, at) => this.onTookOver(track, at),
      onGivenUp: (track) => this.playBuffer(track, this.element.place()),
    });
  }

  readonly isReady = (track: Track) => this.library.has(track) || this.element.isReady(track);
  readonly limitationOf = (track: Track) => this.library.limitationOf(track);

  readonly prepare = (track: Track) => {
    this.graph.wake();
    if (!this.playing && !this.library.has(track)) this.element.prepare(track);
    else if (this.playing && this.source === 'stream' && this.limitationOf(track) === null) this.library.load(track);
  };

  readonly play = (track: Track, at: number) => {
    this.library.drop(({ projectId }) => projectId !== track.projectId);
    if (this.library.has(track)) this.playBuffer(track, at);
    else this.playStream(track, at);
  };

  readonly crossfadeTo = (track: Track) => {
    this.next = null;
    if (sameTrack(track, this.track)) this.host.report({ playingVersionId: track.versionId, loadingVersionId: null });
    else if (this.library.has(track)) this.switchTo(track);
    else if (this.limitationOf(track) !== null || (this.source === 'stream' && !this.element.isSounding())) this.playStream(track, this.position());
    else {
      this.next = track;
      this.library.keep([this.track, this.next]);
      this.library.load(track);
      this.host.report({ loadingVersionId: track.versionId });
    }
  };

  readonly pause = () => (this.source === 'buffer' ? this.buffer : this.element).pause();

  readonly seek = (at: number) => {
    if (this.lostAt !== null) this.lostAt = at;
    if (this.source === 'buffer') this.buffer.seek(at);
    // During the hand-over the mixer would go on where the stream was before.
    else if (this.playing && this.track && this.library.has(this.track)) this.playBuffer(this.track, at);
    else this.element.seek(at);
  };

  readonly stopAt = (at: number | null) => this.settings.setStopAt(at);
  readonly setLoop = (loop: Span | null) => this.settings.setLoop(loop);
  readonly setTempo = (tempo: number) => this.settings.setTempo(tempo);
  readonly setPitch = (pitch: number) => this.settings.setPitch(pitch);
  readonly setMetering = (isOn: boolean) => this.settings.setMetering(isOn);
  readonly setSound = (sound: Sound) => this.element.setSound(sound);
  readonly setGains = (gains: ReadonlyMap<string, number>) => this.settings.setGains(gains);

  readonly setTracks = (tracks: readonly Track[]) => {
    this.library.setTracks(tracks);
    if (this.playing && this.source === 'buffer' && this.track) this.library.prefetchAround(this.track);
  };

  readonly unload = (except: Track | null) => {
    if (this.playing) this.pause();
    this.element.unload(except);
  };

  readonly forget = (track: Track) => {
    this.element.forget(track);
    this.library.forget(track);
    if (this.isAwaited(track)) this.library.load(track);
  };

  readonly drop = (projectId?: string) => {
    const isDropped = (track: Track) => projectId === undefined || track.projectId === projectId;
    if (this.playing && this.track && isDropped(this.track)) this.pause();
    this.element.drop(projectId);
    this.library.drop(isDropped);
  };

  private readonly position = () => (this.source === 'buffer' ? this.buffer.position() : this.element.place());

  private begin(source: 'stream' | 'buffer', track: Track) {
    this.handOver.cancel();
    this.source = source;
    this.playing = true;
    this.track = track;
    this.next = null;
    this.lostAt = null;
    this.library.keep([this.track, this.next]);
  }

  private playStream(track: Track, at: number) {
    this.begin('stream', track);
    this.buffer.end();
    if (this.limitationOf(track) === null) this.library.loadSoon(track);
    else this.library.prefetchAround(track);
    this.element.play(track, Math.min(at, track.duration));
  }

  private playBuffer(track: Track, at: number) {
    this.begin('buffer', track);
    this.buffer.play(track, at);
    this.leaveStream(track);
  }

  private leaveStream(track: Track) {
    this.settings.sendStopAtAgain();
    // The mixer fades the stream out first.
    setTimeout(() => this.source === 'buffer' && this.element.silence(), FADE_OUT_MS);
    this.library.prefetchAround(track);
  }

  private switchTo(track: Track) {
    if (this.source === 'stream') return this.playBuffer(track, this.position());
    this.begin('buffer', track);
    this.buffer.crossfadeTo(track);
    this.library.prefetchAround(track);
  }

  private fail(error: string) {
    this.pause();
    this.report({ playing: false, error });
  }

  private report(changes: Partial<EngineState>) {
    if (changes.playing !== undefined) this.playing = changes.playing;
    if (changes.playing) this.graph.setActive(true);
    if (changes.playing !== false) return this.host.report(changes);
    this.handOver.cancel();
    this.next = null;
    this.lostAt = null;
    this.library.keep([]);
    this.graph.setActive(false);
    this.host.report({ ...changes, isBuffering: false, loadingVersionId: null });
  }

  private onStream(changes: Partial<EngineState>) {
    if (this.source === 'buffer') return this.host.report({});
    if (typeof changes.error === 'string' || (this.track && this.element.isReady(this.track))) this.library.loadDue();
    const isLost = changes.error === CANNOT_PLAY && this.track !== null && this.library.isLoading(this.track);
    if (!isLost) return this.report(changes);
    this.lostAt = this.element.place();
    this.host.report({ isBuffering: true });
  }

  private onMixer(isLoaded: boolean) {
    const position = this.position();
    this.hasMixer = isLoaded;
    this.library.onMixer(isLoaded);
    if (!isLoaded) {
      if (this.playing && this.source === 'buffer' && this.track) this.playStream(this.next ?? this.track, position);
      return this.host.report({});
    }
    this.settings.sendAll();
    if (this.playing && this.track) this.output.start(this.track.versionId);
    this.graph.useMixer();
    this.library.loadLate(this.playing ? this.track : null);
    this.host.report({});
  }

  private onReport(report: MixerReport) {
    this.output.onReport(report);
    this.handOver.onReport(report);
    if (this.source === 'buffer') this.buffer.onReport(report);
    if (report.type === 'meter') this.host.onMeter({ shortTerm: report.shortTerm, peak: report.peak });
  }

  private onTookOver(track: Track, at: number) {
    this.source = 'buffer';
    this.buffer.takeOver(track, at);
    this.leaveStream(track);
  }

  private onDecoded(track: Track) {
    if (sameTrack(track, this.next)) return this.switchTo(track);
    this.host.report({});
    if (!this.playing || this.source === 'buffer' || !sameTrack(track, this.track)) return;
    if (this.lostAt !== null || !this.element.isReady(track)) this.playBuffer(track, this.lostAt ?? this.element.place());
    else this.handOver.start(track);
  }

  private onDecodeFailed(track: Track, failure: DecodeFailure) {
    this.host.report({});
    if (failure === 'refused') return this.host.onRefused(track);
    if (sameTrack(track, this.next) && (failure === 'undecodable' || failure === 'no-mixer')) return this.playStream(track, this.position());
    if (this.isAwaited(track)) this.fail(CANNOT_PLAY);
  }

  /** True if nothing can be played or switched to until it is decoded. */
  private isAwaited(track: Track): boolean {
    return sameTrack(track, this.next) || (this.lostAt !== null && sameTrack(track, this.track));
  }
}
