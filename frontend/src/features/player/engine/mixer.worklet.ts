import type { MixerCommand } from './mixer-messages';
import { Mixer } from './mixer/mixer';

/** The audio thread's globals, which TypeScript's DOM library lacks. */
declare const sampleRate: number;
declare const currentTime: number;
declare function registerProcessor(name: string, processor: new () => WorkletProcessor): void;
declare const AudioWorkletProcessor: new () => WorkletProcessor;
interface WorkletProcessor {
  readonly port: MessagePort;
}

class MixerProcessor extends AudioWorkletProcessor {
  private readonly mixer = new Mixer(sampleRate, (report) => this.port.postMessage(report));

  constructor() {
    super();
    this.port.addEventListener('message', ({ data }: MessageEvent<MixerCommand>) => this.mixer.handle(data));
    this.port.start();
  }

  process([input = []]: readonly (readonly Float32Array[])[], [output = []]: readonly (readonly Float32Array[])[]): boolean {
    const [left, right] = output;
    if (left && right) this.mixer.process(input, left, right, currentTime);
    return true;
  }
}

registerProcessor('mixer', MixerProcessor);
