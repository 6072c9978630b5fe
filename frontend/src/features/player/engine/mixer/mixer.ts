import type { MixerCommand, MixerReport, StopReason } from '../mixer-messages';
import { Deck } from './deck';
import { HandOver, type HandOverResult } from './hand-over';
import { createPlayheadMeter } from './meter';
import { isMono, trackAudio } from './track-audio';

const STATE_SECONDS = 0.05;
const METER_SECONDS = 0.1;

type Command<Type extends MixerCommand['type']> = Extract<MixerCommand, { type: Type }>;

/** The mixer without Web Audio: takes commands, renders one quantum at a time, and reports. */
export class Mixer {
  private readonly deck: Deck;
  private readonly meter;
  private isMetering = false;
  private sinceMeter = 0;
  private sinceState = Infinity;
  /** In frames. */
  private stopAt: number | null = null;
  /** Reported after the fade-out. */
  private stopReason: StopReason | null = null;
  private handOver: HandOver | null = null;
  /** Context time of the next quantum, in seconds. */
  private contextTime = 0;

  constructor(
    private readonly sampleRate: number,
    private readonly report: (report: MixerReport) => void,
  ) {
    this.deck = new Deck(sampleRate);
    this.meter = createPlayheadMeter(sampleRate);
  }

  handle(command: MixerCommand): void {
    this.sinceState = Infinity;
    const { deck } = this;
    switch (command.type) {
      case 'addTrack':
        deck.gains.set(command.trackId, command.gain);
        deck.tracks.set(command.trackId, trackAudio(command.trackId, command.channels));
        return;
      case 'dropTrack':
        return this.dropTrack(command.trackId);
      case 'setGain':
        deck.gains.set(command.trackId, command.gain);
        return;
      case 'startStream':
        return this.start('stream', command.trackId);
      case 'start':
        this.start('buffer', command.trackId);
        return deck.audio ? this.seek(command.at) : this.stop('dropped');
      case 'stop':
        return this.stop('stop');
      case 'seek':
        return this.seek(command.at);
      case 'crossfade':
        return this.switchTo(command.trackId);
      case 'setLoop':
        return deck.setLoop(command.loop);
      case 'setTempoAndPitch':
        deck.target.stretch = { tempo: command.tempo, pitch: command.pitch };
        return;
      case 'stopAt':
        this.stopAt = command.at === null ? null : command.at * this.sampleRate;
        return;
      case 'takeOver':
        return this.prepareTakeOver(command);
      case 'setMetering':
        this.isMetering = command.isOn;
        this.meter.reset();
    }
  }

  /** One quantum. `contextTime` is that of its first frame; the input has no channels while nothing is connected. */
  process(input: readonly Float32Array[], left: Float32Array, right: Float32Array, contextTime: number): void {
    this.contextTime = contextTime;
    this.stepTakeOver();
    if (this.deck.settle()) this.onCrossfade(input);
    this.deck.history.push(input, left.length);
    this.deck.blend.write(left, right, this.isMetering ? this.measure : null);
    this.contextTime += left.length / this.sampleRate;
    this.stopAtEnd();
    this.sendReports(left.length);
  }

  private start(source: 'stream' | 'buffer', trackId: string) {
    Object.assign(this.deck.target, { source, trackId, isPlaying: true });
    this.stopAt = null;
    this.stopReason = null;
    this.failTakeOver('notReady');
  }

  private stop(reason: StopReason, position = this.deck.position()) {
    Object.assign(this.deck.target, { isPlaying: false, rest: position, jumpTo: null });
    this.stopReason = reason;
    this.failTakeOver('notReady');
  }

  private dropTrack(trackId: string) {
    const { target, tracks } = this.deck;
    tracks.delete(trackId);
    if (target.isPlaying && target.source === 'buffer' && target.trackId === trackId) this.stop('dropped');
  }

  private seek(seconds: number) {
    const { audio, target } = this.deck;
    const frame = seconds * this.sampleRate;
    this.stopAt = null;
    if (!target.isPlaying || target.source === 'stream' || !audio) target.rest = frame;
    else if (frame >= audio.frames && !this.deck.isInLoop(audio, frame)) this.stop('end', audio.frames);
    else target.jumpTo = frame;
  }

  private switchTo(trackId: string) {
    const { target, tracks } = this.deck;
    if (!tracks.has(trackId) || (target.isPlaying && target.source === 'stream')) return;
    target.source = 'buffer';
    target.trackId = trackId;
  }

  private prepareTakeOver({ trackId, estimate, align }: Command<'takeOver'>) {
    const { target, tracks, history } = this.deck;
    const audio = tracks.get(trackId);
    if (!audio || target.source !== 'stream' || !target.isPlaying) return this.report({ type: 'takeOverFailed', trackId, reason: 'notReady' });
    const now = { inputFrame: history.written, contextTime: this.contextTime };
    this.handOver = new HandOver(audio, history, now, { estimate, align, sampleRate: this.sampleRate });
  }

  private stepTakeOver() {
    const { stream, blend, history, target } = this.deck;
    if (!this.handOver || !stream || blend.isMoving) return;
    const result = this.handOver.step({ inputFrame: history.written, contextTime: this.contextTime }, target.stretch.tempo);
    if (result === 'noMatch') this.failTakeOver(result);
    else if (result) this.finishTakeOver(this.handOver.audio.id, result, stream.delay());
  }

  private finishTakeOver(trackId: string, { at, offset, isExact }: Exclude<HandOverResult, string>, delay: number) {
    const { sampleRate } = this;
    const { target } = this.deck;
    const jumpTo = at - delay * target.stretch.tempo;
    Object.assign(target, { source: 'buffer', trackId, jumpTo });
    this.handOver = null;
    this.report({ type: 'tookOver', trackId, position: jumpTo / sampleRate, offset: offset / sampleRate, isExact });
  }

  private failTakeOver(reason: 'noMatch' | 'notReady') {
    if (this.handOver) this.report({ type: 'takeOverFailed', trackId: this.handOver.audio.id, reason });
    this.handOver = null;
  }

  private onCrossfade(input: readonly Float32Array[]) {
    const { voice } = this.deck;
    this.sinceState = Infinity;
    this.meter.setMono(voice ? isMono(voice.audio) : input.length === 1);
  }

  private readonly measure = (left: Float32Array, right: Float32Array) => this.meter.push(left, right);

  private stopAtEnd() {
    const { voice, target, blend } = this.deck;
    if (target.isPlaying && voice && !voice.isLooping && target.jumpTo === null) {
      const position = voice.position();
      if (this.stopAt !== null && position >= this.stopAt) this.stop('stopAt', this.stopAt);
      else if (!voice.isHeld && position >= voice.audio.frames) this.stop('end', voice.audio.frames);
    }
    if (this.stopReason === null || blend.current || blend.isMoving) return;
    const position = target.rest / this.sampleRate;
    this.report({ type: 'stopped', contextTime: this.contextTime, reason: this.stopReason, trackId: target.trackId, position });
    this.stopReason = null;
    this.sinceState = Infinity;
  }

  private sendReports(count: number) {
    const { target, blend } = this.deck;
    const isSounding = target.isPlaying || blend.current !== null;
    this.sinceState += count;
    this.sinceMeter += count;
    if (this.sinceState >= STATE_SECONDS * this.sampleRate && (isSounding || this.sinceState === Infinity)) this.sendState();
    if (!this.isMetering || !isSounding || this.sinceMeter < METER_SECONDS * this.sampleRate) return;
    this.sinceMeter = 0;
    this.report({ type: 'meter', ...this.meter.read() });
  }

  private sendState() {
    const { target, voice, stream, audio } = this.deck;
    const position = this.deck.position();
    this.sinceState = 0;
    this.report({
      type: 'state',
      contextTime: this.contextTime,
      trackId: target.trackId,
      source: target.source,
      isPlaying: target.isPlaying,
      position: position / this.sampleRate,
      rate: target.isPlaying && !voice?.isHeld ? target.stretch.tempo : 0,
      hasEnded: target.source === 'buffer' && audio !== null && position > audio.frames,
      turns: voice?.turns ?? 0,
      delay: (stream?.delay() ?? 0) / this.sampleRate,
    });
  }
}
