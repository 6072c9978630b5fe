import type { LoopSpan, TrackId } from '../mixer-messages';
import { Blend, type Crossfade, type Part } from './blend';
import { correlation } from './crossfade';
import type { Loop } from './reader';
import { StreamHistory, StreamVoice } from './stream';
import type { TempoAndPitch } from './stretcher';
import type { TrackAudio } from './track-audio';
import { Voice } from './voice';

const SEEK_SECONDS = 0.005;
const SWITCH_SECONDS = 0.02;
/** A loop that ends at most this much after the audio is cut to it: the page's duration may differ slightly from the decoded one. */
const END_SLACK_SECONDS = 0.2;
const SHORTEST_LOOP_SECONDS = 0.01;

/** The target of the output. Positions are frames of source time. */
export interface Target {
  source: 'stream' | 'buffer' | null;
  trackId: TrackId | null;
  isPlaying: boolean;
  stretch: TempoAndPitch;
  loop: LoopSpan | null;
  jumpTo: number | null;
  /** The playhead while nothing plays. */
  rest: number;
}

/**
 * Before each quantum, `settle` compares the target with what is playing and crossfades to it. One crossfade runs at a time; changes that arrive during it
 * take effect together after it.
 */
export class Deck {
  readonly target: Target = { source: null, trackId: null, isPlaying: false, stretch: { tempo: 1, pitch: 1 }, loop: null, jumpTo: null, rest: 0 };
  readonly tracks = new Map<TrackId, TrackAudio>();
  readonly gains = new Map<TrackId, number>();
  readonly history = new StreamHistory();
  readonly blend: Blend;

  constructor(private readonly sampleRate: number) {
    this.blend = new Blend(sampleRate, (trackId) => this.gainOf(trackId));
  }

  get voice(): Voice | null {
    const voice = this.blend.current?.voice;
    return voice instanceof Voice ? voice : null;
  }

  get stream(): StreamVoice | null {
    const voice = this.blend.current?.voice;
    return voice instanceof StreamVoice ? voice : null;
  }

  /** The decoded audio of the target's track. */
  get audio(): TrackAudio | null {
    return (this.target.trackId !== null && this.tracks.get(this.target.trackId)) || null;
  }

  position(): number {
    const { isPlaying, jumpTo, rest } = this.target;
    return jumpTo ?? (isPlaying && this.voice ? Math.max(0, this.voice.position()) : rest);
  }

  /** True if playback from a frame will not reach the end of the audio. */
  isInLoop(audio: TrackAudio, frame: number): boolean {
    const loop = this.loopIn(audio);
    return loop !== null && frame < loop.end;
  }

  setLoop(loop: LoopSpan | null): void {
    this.target.loop = loop;
    const { voice } = this;
    voice?.setLoop(this.loopIn(voice.audio));
  }

  /** True if it started a crossfade. */
  settle(): boolean {
    const { current, isMoving } = this.blend;
    if (isMoving) return false;
    const next = this.nextPart(current);
    if (next === current) return false;
    this.blend.change(next, this.crossfade(current, next));
    return true;
  }

  private nextPart(current: Part | null): Part | null {
    const { isPlaying, source, trackId, stretch } = this.target;
    if (!isPlaying || trackId === null) return null;
    if (source === 'buffer') return this.nextTrack(current);
    if (current && this.stream?.setPitch(stretch.pitch) && current.trackId === trackId) return current;
    return this.part(trackId, new StreamVoice(this.history, { sampleRate: this.sampleRate, pitch: stretch.pitch }));
  }

  private nextTrack(current: Part | null): Part | null {
    const { audio, voice, target } = this;
    if (!audio) return null;
    const { jumpTo, rest } = target;
    const { tempo, pitch } = target.stretch;
    const stretch = tempo === 1 && pitch === 1 ? null : target.stretch;
    if (voice?.setStretch(stretch) && voice.audio === audio && jumpTo === null) return current;
    const settings = { sampleRate: this.sampleRate, stretch };
    target.jumpTo = null;
    if (voice && jumpTo === null) return this.part(audio.id, voice.successor(audio, this.loopIn(audio), settings));
    const head = jumpTo ?? rest;
    return this.part(audio.id, Voice.at(audio, { head, loop: this.loopIn(audio), isLooping: this.isInLoop(audio, head), turns: 0 }, settings));
  }

  private part(trackId: TrackId, voice: Voice | StreamVoice): Part {
    return { trackId, voice, gain: this.gainOf(trackId) };
  }

  private gainOf(trackId: TrackId): number {
    return this.gains.get(trackId) ?? 1;
  }

  private crossfade(from: Part | null, to: Part | null): Crossfade {
    const before = from?.voice;
    const after = to?.voice;
    const isSeek = before instanceof Voice && after instanceof Voice && before.audio === after.audio && before.isStretched === after.isStretched;
    const isFade = !before || !after;
    const frames = Math.round((isSeek || isFade ? SEEK_SECONDS : SWITCH_SECONDS) * this.sampleRate);
    if (!(before instanceof Voice) || !(after instanceof Voice)) return { frames, rho: 1 };
    return { frames, rho: correlation(before.excerpt(), after.excerpt(), frames) };
  }

  private loopIn({ frames }: TrackAudio): Loop | null {
    const { loop } = this.target;
    if (!loop) return null;
    const end = loop.end * this.sampleRate;
    const isAtEnd = end > frames && end < frames + END_SLACK_SECONDS * this.sampleRate;
    const last = isAtEnd ? frames : end;
    return { start: Math.min(loop.start * this.sampleRate, last - SHORTEST_LOOP_SECONDS * this.sampleRate), end: last };
  }
}
