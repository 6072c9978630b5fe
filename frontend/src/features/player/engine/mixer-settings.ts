import type { Span } from '../../../shared/wave/span';
import type { AudioGraph } from './audio-graph';
import type { BufferVoice } from './buffer-voice';
import type { ElementEngine } from './element-engine';

/** Settings of both the stream and decoded audio. They are sent to the mixer again once it has loaded. */
export class MixerSettings {
  tempo = 1;
  private pitch = 1;
  private loop: Span | null = null;
  private end: number | null = null;
  private gains: ReadonlyMap<string, number> = new Map();
  private isMetering = false;

  constructor(
    private readonly graph: AudioGraph,
    private readonly element: ElementEngine,
    private readonly buffer: BufferVoice,
  ) {}

  readonly setTempo = (tempo: number) => {
    this.tempo = tempo;
    this.element.setTempo(tempo);
    this.sendTempoAndPitch();
  };
  readonly setPitch = (pitch: number) => {
    this.pitch = pitch;
    this.sendTempoAndPitch();
  };
  readonly setLoop = (loop: Span | null) => {
    this.loop = loop;
    this.element.setLoop(loop);
    this.buffer.setLoop(loop);
    this.sendLoop();
  };
  readonly setStopAt = (at: number | null) => {
    this.end = at;
    this.element.stopAt(at);
    this.graph.post({ type: 'stopAt', at });
  };
  /** Call this when the mixer takes over: it clears `stopAt` on every start, and misses commands posted before it has loaded. */
  readonly sendStopAtAgain = () => {
    if (this.end !== null) this.setStopAt(this.end);
  };
  readonly setMetering = (isMetering: boolean) => {
    this.isMetering = isMetering;
    this.sendMetering();
  };
  readonly setGains = (gains: ReadonlyMap<string, number>) => {
    for (const [trackId, gain] of gains) if (this.gains.get(trackId) !== gain) this.graph.post({ type: 'setGain', trackId, gain });
    this.gains = gains;
    this.element.setGains(gains);
  };
  readonly gainOf = (trackId: string): number => this.gains.get(trackId) ?? 1;

  readonly sendAll = () => {
    for (const [trackId, gain] of this.gains) this.graph.post({ type: 'setGain', trackId, gain });
    this.sendTempoAndPitch();
    this.sendLoop();
    this.sendMetering();
  };

  private sendTempoAndPitch() {
    this.graph.post({ type: 'setTempoAndPitch', tempo: this.tempo, pitch: this.pitch });
  }
  private sendLoop() {
    this.graph.post({ type: 'setLoop', loop: this.loop });
  }
  private sendMetering() {
    this.graph.post({ type: 'setMetering', isOn: this.isMetering });
  }
}
